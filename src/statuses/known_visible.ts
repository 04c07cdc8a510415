import type { Id } from '../core/id.ts'
import { relationships, type Relations } from '../accounts/relationships/index.ts'
import type { Services } from '../platform/services.ts'
import { authors } from './authors.ts'
import type { StatusFragment } from './fragment.ts'
import { interactionIndex } from './interaction_index.ts'
import {
  findStates,
  NO_INTERACTIONS_FOLLOWED,
  NO_INTERACTIONS,
  viewerStates,
  type ViewerState,
} from './viewer_states.ts'

/**
 * The viewer's states of statuses that were found by `visible_statuses` or a query based on it,
 * either for this viewer or anonymously and cached; listed ones of authors who block the viewer are
 * left out here.
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
  for (const fragment of fragments) {
    const { id, accountId } = fragment
    if (!isUntouched(id)) unknown.push(id)
    else if (accountId === viewer || own.follows.has(accountId)) states.set(id, NO_INTERACTIONS_FOLLOWED)
    else if (!isHiddenByBlock(fragment, own)) states.set(id, NO_INTERACTIONS)
  }
  if (unknown.length > 0)
    for (const [id, state] of await viewerStates(services).of(viewer, unknown)) states.set(id, state)
  return states
}

/**
 * The viewer's states of any statuses that exist, without those that the viewer may not see:
 * decided by what is in memory, as `visible_statuses` does in SQL. The database is asked for
 * statuses with which the viewer may have interacted, and for those that only mentioned accounts
 * may see.
 */
export const visibleStates = (
  services: Services,
  viewer: Id,
  fragments: ReadonlyMap<Id, StatusFragment>,
): Promise<Map<Id, ViewerState>> =>
  viewerStates(services).of(viewer, [...fragments.keys()], missing => findVisible(services, viewer, missing, fragments))

async function findVisible(
  services: Services,
  viewer: Id,
  ids: readonly Id[],
  fragments: ReadonlyMap<Id, StatusFragment>,
): Promise<Map<Id, ViewerState>> {
  const wanted = ids.flatMap(id => fragments.get(id) ?? [])
  const [own, isUntouched, authorsById] = await Promise.all([
    relationships(services).get(viewer),
    interactionIndex(services).of(viewer),
    authors(services).get(new Set(wanted.map(({ accountId }) => accountId))),
  ])
  const states = new Map<Id, ViewerState>()
  const unknown: Id[] = []
  for (const fragment of wanted) {
    const { id, accountId } = fragment
    if (authorsById.get(accountId)?.hidden !== false || isHiddenByBlock(fragment, own)) continue
    const follows = accountId === viewer || own.follows.has(accountId)
    if (!isUntouched(id) || !showsItself(fragment, viewer, own)) unknown.push(id)
    else states.set(id, follows ? NO_INTERACTIONS_FOLLOWED : NO_INTERACTIONS)
  }
  if (unknown.length > 0) for (const [id, state] of await findStates(services, viewer, unknown)) states.set(id, state)
  return states
}

const isListed = ({ visibility }: StatusFragment): boolean => visibility === 'public' || visibility === 'unlisted'

/** A block hides what everybody else can see, not what was written to the viewer. */
const isHiddenByBlock = (fragment: StatusFragment, { blockedBy }: Relations): boolean =>
  isListed(fragment) && blockedBy.has(fragment.accountId)

/** Whether the viewer may see it without being mentioned. */
const showsItself = (fragment: StatusFragment, viewer: Id, own: Relations): boolean =>
  isListed(fragment) ||
  fragment.accountId === viewer ||
  (fragment.visibility === 'private' && own.follows.has(fragment.accountId))
