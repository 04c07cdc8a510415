import { c, query } from '../../platform/database/index.ts'
import { Json } from '../../platform/http/index.ts'
import type { Viewer } from '../../core/viewer.ts'
import type { Services } from '../../platform/services.ts'
import { displayTag, normaliseTag } from '../../core/text/index.ts'
import { makeTagFragment, tagFragments } from './fragment.ts'

const viewerState = query(
  'timelines/tags/viewer_state',
  { viewer: c.id, names: c.texts },
  { name: c.text, following: c.boolean, featuring: c.boolean },
)

/**
 * The entities Tag of stored hashtags, by identity; for a viewer also whether they follow and
 * feature them.
 */
export async function renderTags(
  services: Services,
  viewer: Viewer | null,
  names: readonly string[],
): Promise<Map<string, Json>> {
  if (names.length === 0) return new Map()
  const [fragments, states] = await Promise.all([
    tagFragments(services, names),
    viewer ? services.database.run(viewerState, { viewer: viewer.id, names: [...names] }) : [],
  ])
  const stateOf = new Map(states.map(state => [state.name, state]))
  return new Map(
    [...fragments].map(([name, { text }]) => [name, new Json(`${text}${viewerFields(viewer, stateOf.get(name))}}`)]),
  )
}

const viewerFields = (viewer: Viewer | null, state?: { following: boolean; featuring: boolean }): string =>
  viewer ? `,"following":${state?.following === true},"featuring":${state?.featuring === true}` : ''

/** The entity Tag of a name as it was written, stored or not. */
export async function renderTag(services: Services, viewer: Viewer | null, written: string): Promise<Json> {
  const name = normaliseTag(written)
  const stored = (await renderTags(services, viewer, [name])).get(name)
  if (stored) return stored
  const unknown = { id: '', name, display_name: displayTag(written), history: [] }
  const { text } = makeTagFragment(unknown, services.config.publicUrl, Date.now())
  return new Json(`${text}${viewerFields(viewer)}}`)
}
