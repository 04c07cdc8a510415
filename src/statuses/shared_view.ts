import { accountFragments } from '../accounts/index.ts'
import type { Id } from '../core/id.ts'
import { namesAccount } from './preview_cards/index.ts'
import type { Services } from '../platform/services.ts'
import { searchText, type StatusFragment } from './fragment.ts'
import { statusFragments } from './load.ts'
import { asksForFollowed } from './quote_approval.ts'

/** The data that filters match a status by. */
export interface Searched {
  readonly ids: readonly Id[]
  /** The text that keywords are searched in. */
  readonly text: () => string
}

/**
 * Checks whether a status has the same view for all viewers who have not interacted with it or with
 * the status it boosts and who follow the same of its authors, apart from filters. A quoted status
 * may be hidden from some viewers, and so may other accounts in it; the author may follow only some
 * of them.
 * @returns undefined when it was deleted; false when views differ
 */
export async function findSharedView(services: Services, status: Id): Promise<Searched | false | undefined> {
  const fragments = statusFragments(services)
  const shown = await fragments.one(status)
  const original = shown && (shown.reblogOfId === null ? shown : await fragments.one(shown.reblogOfId))
  if (!original) return undefined
  const isAlike =
    !original.hasQuote &&
    !asksForFollowed(original) &&
    original.collectionIds.length === 0 &&
    !(original.card && (await namesAccount(services, original.card.id))) &&
    !(await haveMoved(services, [shown, original]))
  return isAlike && { ids: [original.id, status], text: () => searchText(original) }
}

/**
 * Whether an author has moved: the account then includes the new one, whose visibility differs
 * between viewers.
 */
async function haveMoved(services: Services, statuses: readonly StatusFragment[]): Promise<boolean> {
  const authors = await accountFragments(services).get(new Set(statuses.map(({ accountId }) => accountId)))
  return [...authors.values()].some(({ movedTo }) => movedTo !== null)
}
