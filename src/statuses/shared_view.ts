import { accountFragments } from '../accounts/index.ts'
import type { Id } from '../core/id.ts'
import { namesAccount } from './preview_cards/index.ts'
import type { Services } from '../platform/services.ts'
import { searchText, type StatusFragment } from './fragment.ts'
import { statusFragments } from './load.ts'

/** By what filters find a status that is shown. */
export interface Searched {
  readonly ids: readonly Id[]
  /** What keywords are searched in. */
  readonly text: () => string
}

/**
 * Looks whether a status is shown alike to all who have done nothing with it or with what it boosts, and who follow the same of the authors;
 * filters aside. What is quoted may be hidden from some, and so may other accounts that are shown with it.
 * @returns undefined when it is gone; false when it is not shown alike
 */
export async function findAlike(services: Services, status: Id): Promise<Searched | false | undefined> {
  const fragments = statusFragments(services)
  const shown = await fragments.one(status)
  const original = shown && (shown.reblogOfId === null ? shown : await fragments.one(shown.reblogOfId))
  if (!original) return undefined
  const isAlike =
    !original.hasQuote &&
    original.collectionIds.length === 0 &&
    !(original.card && (await namesAccount(services, original.card.id))) &&
    !(await haveMoved(services, [shown, original]))
  return isAlike && { ids: [original.id, status], text: () => searchText(original) }
}

/** Whether an author has moved: then the account is shown that they have moved to, which others follow. */
async function haveMoved(services: Services, statuses: readonly StatusFragment[]): Promise<boolean> {
  const authors = await accountFragments(services).get(new Set(statuses.map(({ accountId }) => accountId)))
  return [...authors.values()].some(({ movedTo }) => movedTo !== null)
}
