import type { Id } from '../../core/id.ts'
import { c, query, type Row, type Runner } from '../../platform/database/index.ts'

const count = query(
  'notifications/email_subscriptions/count',
  { account: c.id },
  { confirmed: c.integer, waiting: c.integer },
)
const page = query(
  'notifications/email_subscriptions/page',
  { account: c.id, before: c.nullable(c.id), limit: c.integer },
  { id: c.id, email: c.text, confirmed_at: c.timestamp },
)
const remove = query('notifications/email_subscriptions/remove', { subscription: c.id }, { id: c.id })
const removeOwn = query(
  'notifications/email_subscriptions/remove_own',
  { account: c.id, subscription: c.id },
  { id: c.id },
)
const removeOf = query(
  'notifications/email_subscriptions/remove_of',
  { moderator: c.nullable(c.id), account: c.id, email: c.nullable(c.text) },
  { removed: c.integer },
)

/** Somebody who gets an account's posts by e-mail. */
export type Subscriber = Row<typeof page.columns>

/** How many addresses subscribe to an account, and how many wait for confirmation. */
export async function countSubscribers(runner: Runner, account: Id): Promise<{ confirmed: number; waiting: number }> {
  return (await runner.one(count, { account })) ?? { confirmed: 0, waiting: 0 }
}

/** Confirmed subscribers of an account, newest first. */
export const listSubscribers = (
  runner: Runner,
  account: Id,
  { before, limit }: { before?: Id | undefined; limit: number },
): Promise<Subscriber[]> => runner.run(page, { account, before: before ?? null, limit })

/** Ends a subscription. Repeating it is harmless. */
export async function endSubscription(runner: Runner, subscription: Id): Promise<void> {
  await runner.run(remove, { subscription })
}

/** Ends a subscription for the account's owner; false if there is none. */
export const removeOwnSubscriber = async (runner: Runner, account: Id, subscription: Id): Promise<boolean> =>
  (await runner.one(removeOwn, { account, subscription })) !== undefined

/**
 * Removes all subscribers of an account, or the one with an address, with an entry in the audit
 * log.
 * @param moderator null: the operator; the caller checks the permission
 * @returns how many there were, unconfirmed ones included
 */
export const removeSubscribers = async (
  runner: Runner,
  moderator: Id | null,
  account: Id,
  email: string | null = null,
): Promise<number> => (await runner.one(removeOf, { moderator, account, email }))?.removed ?? 0
