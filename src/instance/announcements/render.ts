import { c, query } from '../../platform/database/index.ts'
import type { EventOf } from '../../platform/events/index.ts'
import { Json, list } from '../../platform/http/index.ts'
import type { Id } from '../../core/id.ts'
import type { Viewer } from '../../core/viewer.ts'
import type { Services } from '../../platform/services.ts'
import { renderStatuses } from '../../statuses/index.ts'
import { announcementFragments, pictureUrls, type AnnouncementFragment } from './fragment.ts'

const findLinked = query('instance/announcements/linked', { ids: c.ids }, { id: c.id })

/** The viewer's response to an announcement. */
export interface Response {
  readonly id: Id
  readonly read: boolean
  /** Names of the viewer's reactions. */
  readonly reactions: readonly string[]
}

function compose(fragment: AnnouncementFragment, statuses: ReadonlyMap<Id, Json>, response: Response | null): Json {
  const reactions = fragment.reactions.map(
    ({ name, head, tail }) => `${head}${response ? `,"me":${response.reactions.includes(name)}` : ''}${tail}`,
  )
  const linked = list(fragment.statusIds.flatMap(id => statuses.get(id) ?? []))
  const read = response ? `,"read":${response.read}` : ''
  return new Json(`${fragment.head}${read}${fragment.middle}${linked.text}${fragment.tail}[${reactions.join(',')}]}`)
}

async function renderLinked(
  services: Services,
  viewer: Viewer | null,
  fragments: Iterable<AnnouncementFragment>,
): Promise<Map<Id, Json>> {
  const ids = [...new Set([...fragments].flatMap(fragment => fragment.statusIds))]
  if (ids.length === 0) return new Map()
  const shown = await services.database.run(findLinked, { ids })
  return renderStatuses(
    services,
    viewer,
    shown.map(({ id }) => id),
  )
}

/** The entities of announcements for the viewer, in the given order. */
export async function renderAnnouncements(
  services: Services,
  viewer: Viewer,
  responses: readonly Response[],
): Promise<Json[]> {
  const fragments = await announcementFragments(services).get(responses.map(({ id }) => id))
  const statuses = await renderLinked(services, viewer, fragments.values())
  return responses.flatMap(response => {
    const fragment = fragments.get(response.id)
    return fragment ? compose(fragment, statuses, response) : []
  })
}

/** An announcement for streams, without viewer-specific members. Undefined if it does not exist. */
export async function renderPublicAnnouncement(services: Services, id: Id): Promise<Json | undefined> {
  const fragment = await announcementFragments(services).one(id)
  return fragment && compose(fragment, await renderLinked(services, null, [fragment]), null)
}

/** The payload of the streaming event for `announcement.reaction`. */
export function renderReactionEvent(services: Services, event: EventOf<'announcement.reaction'>): Json {
  const { name, count, image } = event.data
  const urls = pictureUrls(image, services)
  return new Json(JSON.stringify({ name, count, announcement_id: event.object_id, ...urls }))
}
