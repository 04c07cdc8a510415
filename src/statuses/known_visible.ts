import type { Id } from '../core/id.ts'
import { relationships } from '../accounts/relationships/index.ts'
import type { Services } from '../platform/services.ts'
import type { StatusFragment } from './fragment.ts'
import { interactionIndex } from './interaction_index.ts'
import { OF_FOLLOWED, UNTOUCHED, viewerStates, type ViewerState } from './viewer_states.ts'

/**
 * What a viewer has to do with statuses that have been found by `visible_statuses` or what is built on it: for this viewer, or for anybody and
 * kept until something changed, so that those of authors who block the viewer are left out here. Nearly always this is known without a query.
 */
export async function knownVisible(
  services: Services,
  viewer: Id,
  fragments: Iterable<StatusFragment>,
): Promise<Map<Id, ViewerState>> {
  const [own, isUntouched] = await Promise.all([
    relationships(services).get(viewer),
    interactionIndex(services).of(viewer),
  ])
  const states = new Map<Id, ViewerState>()
  const unknown: Id[] = []
  for (const { id, accountId } of fragments) {
    if (!isUntouched(id)) unknown.push(id)
    else if (accountId === viewer || own.follows.has(accountId)) states.set(id, OF_FOLLOWED)
    else if (!own.blockedBy.has(accountId)) states.set(id, UNTOUCHED)
  }
  if (unknown.length > 0)
    for (const [id, state] of await viewerStates(services).of(viewer, unknown)) states.set(id, state)
  return states
}
