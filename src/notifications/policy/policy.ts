import { c, query } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import type { Services } from '../../platform/services.ts'

/** The treatment of a notification: listed, held back in a request, or not created. */
export type Verdict = 'accept' | 'filter' | 'drop'

/** The categories of senders, in the order of the entity. */
export const CATEGORIES = [
  'for_not_following',
  'for_not_followers',
  'for_new_accounts',
  'for_private_mentions',
  'for_limited_accounts',
  'for_bots',
] as const

export type Category = (typeof CATEGORIES)[number]

export interface Policy {
  readonly verdicts: Readonly<Record<Category, string>>
  readonly summary: { readonly pending_requests_count: number; readonly pending_notifications_count: number }
}

const findPolicy = query(
  'notifications/policy/find',
  { viewer: c.id },
  {
    for_not_following: c.text,
    for_not_followers: c.text,
    for_new_accounts: c.text,
    for_private_mentions: c.text,
    for_limited_accounts: c.text,
    for_bots: c.text,
    pending_requests: c.integer,
    pending_notifications: c.integer,
  },
)

const savePolicy = query(
  'notifications/policy/save',
  {
    viewer: c.id,
    for_not_following: c.nullable(c.text),
    for_not_followers: c.nullable(c.text),
    for_new_accounts: c.nullable(c.text),
    for_private_mentions: c.nullable(c.text),
    for_limited_accounts: c.nullable(c.text),
    for_bots: c.nullable(c.text),
  },
  {},
)

/**
 * An account's policy (with defaults until it is changed), and a summary of the filtered
 * notifications.
 */
export async function readPolicy({ database }: Services, viewer: Id): Promise<Policy> {
  const row = await database.one(findPolicy, { viewer })
  if (!row) throw new Error('the user has no notification policy')
  const { pending_requests, pending_notifications, ...verdicts } = row
  return {
    verdicts,
    summary: { pending_requests_count: pending_requests, pending_notifications_count: pending_notifications },
  }
}

/** Changes the given settings; they apply to later notifications. */
export async function changePolicy(
  { database }: Services,
  viewer: Id,
  changes: Readonly<Partial<Record<Category, Verdict | undefined>>>,
): Promise<void> {
  await database.run(savePolicy, {
    viewer,
    for_not_following: changes.for_not_following ?? null,
    for_not_followers: changes.for_not_followers ?? null,
    for_new_accounts: changes.for_new_accounts ?? null,
    for_private_mentions: changes.for_private_mentions ?? null,
    for_limited_accounts: changes.for_limited_accounts ?? null,
    for_bots: changes.for_bots ?? null,
  })
}
