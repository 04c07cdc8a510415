import type { Id } from '../core/id.ts'
import { relationships } from '../accounts/relationships/index.ts'
import type { Services } from '../platform/services.ts'
import type { StatusFragment } from './fragment.ts'
import { interactionIndex } from './interaction_index.ts'
import { NO_INTERACTIONS_FOLLOWED, NO_INTERACTIONS, viewerStates, type ViewerState } from './viewer_states.ts'

/**
 * The viewer's states of statuses that were found by `visible_statuses` or a query based on it,
 * either for this viewer or anonymously and cached; authors who block the viewer are left out here.
 * Nearly always needs no query.
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
    else if (accountId === viewer || own.follows.has(accountId)) states.set(id, NO_INTERACTIONS_FOLLOWED)
    else if (!own.blockedBy.has(accountId)) states.set(id, NO_INTERACTIONS)
  }
  if (unknown.length > 0)
    for (const [id, state] of await viewerStates(services).of(viewer, unknown)) states.set(id, state)
  return states
}
