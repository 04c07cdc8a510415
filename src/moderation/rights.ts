import { ApiError } from '../core/errors.ts'
import type { Id } from '../core/id.ts'
import { hasPermission, type Permission } from '../core/permissions.ts'
import { c, query, type Runner } from '../platform/database/index.ts'
import type { AccountAction } from './action.ts'

const findRights = query(
  'moderation/rights',
  { moderator: c.id, account: c.id },
  { permissions: c.bigint, outranks: c.boolean },
)

/** The permissions of which each action needs one. */
const NEEDED: Readonly<Record<AccountAction, readonly Permission[]>> = {
  none: ['manage_users', 'manage_reports'],
  disable: ['manage_users'],
  sensitive: ['manage_users', 'manage_reports'],
  silence: ['manage_users', 'manage_reports'],
  suspend: ['manage_users', 'manage_reports'],
}

/**
 * Checks that the moderator's role is above the account's, and has one of the permissions. Accounts
 * without a user are below every role.
 * @param moderator null for the operator, who may do everything
 * @returns whether the moderator also manages reports
 * @throws ApiError notFound, notAllowed
 */
export async function requireRank(
  runner: Runner,
  moderator: Id | null,
  account: Id,
  permissions: readonly Permission[],
): Promise<{ readonly managesReports: boolean }> {
  if (moderator === null) return { managesReports: true }
  const row = await runner.one(findRights, { moderator, account })
  if (!row) throw new ApiError('notFound')
  const own = { permissions: Number(row.permissions) }
  if (!row.outranks || !permissions.some(name => hasPermission(own, name))) throw new ApiError('notAllowed')
  return { managesReports: hasPermission(own, 'manage_reports') }
}

/** Checks that the moderator may take the action on the account. See `requireRank`. */
export const requirePermission = (
  runner: Runner,
  moderator: Id | null,
  account: Id,
  action: AccountAction,
): Promise<{ readonly managesReports: boolean }> => requireRank(runner, moderator, account, NEEDED[action])
