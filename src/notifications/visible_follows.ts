import { accountFragments, dependsOnFollow } from '../accounts/index.ts'
import type { Id } from '../core/id.ts'
import type { Services } from '../platform/services.ts'
import { allVisible, authors } from '../statuses/index.ts'
import type { NotificationType } from './type.ts'

/** A notification that was found without checking its visibility. */
interface UncheckedNotification {
  readonly type: string
  readonly from_account_id: Id
  readonly status_id: Id | null
  readonly followed: boolean
}

const BY_ORIGINATOR: ReadonlySet<string> = new Set<NotificationType>(['mention', 'status', 'update', 'quote'])

/** Whether its status is by the account that caused it. */
const isByOriginator = ({ type }: UncheckedNotification): boolean => BY_ORIGINATOR.has(type)

/** Whether the viewer follows the accounts whose entities depend on it, as far as it is known. */
export type KnownFollows = ReadonlyMap<Id, boolean>

/**
 * Decides from memory, with the rules of `shown_notifications` in SQL: the accounts and statuses
 * are those that a page of these notifications is rendered from.
 * @returns undefined when one of the notifications is hidden
 */
export async function findFollowsIfVisible(
  services: Services,
  viewer: Id,
  rows: readonly UncheckedNotification[],
): Promise<KnownFollows | undefined> {
  const statuses = new Set(rows.flatMap(row => row.status_id ?? []))
  const [accounts, visible] = await Promise.all([
    accountFragments(services).get(new Set(rows.map(row => row.from_account_id))),
    allVisible(services, viewer, [...statuses]),
    // Rendering needs them; here they share a round trip.
    authors(services).get(new Set(rows.filter(isByOriginator).map(row => row.from_account_id))),
  ])
  if (!visible) return undefined
  const follows = new Map<Id, boolean>()
  for (const { from_account_id: id, followed } of rows) {
    const account = accounts.get(id)
    if (!account || account.suspended) return undefined
    if (dependsOnFollow(account)) follows.set(account.id, followed)
  }
  return follows
}
