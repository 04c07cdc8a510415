import { hasPermission } from '../core/permissions.ts'
import { ApiError } from '../core/errors.ts'
import type { Id } from '../core/id.ts'
import type { Viewer } from '../core/viewer.ts'
import type { Services } from '../platform/services.ts'
import type { AccountFragment } from './fragment.ts'
import { accountFragments } from './render.ts'

/** Whether the viewer may know that the account exists: one that is pending is seen by itself and by moderators, one that is going by nobody. */
export function isKnownTo(account: AccountFragment, viewer: Viewer | null): boolean {
  if (account.going) return false
  return !account.pending || account.id === viewer?.id || hasPermission(viewer, 'manage_users')
}

/**
 * The account with this id, suspended ones too.
 * @throws ApiError notFound when there is none that the viewer may know of
 */
export async function findAccount(services: Services, viewer: Viewer | null, id: Id): Promise<AccountFragment> {
  const account = await accountFragments(services).one(id)
  if (!account || !isKnownTo(account, viewer)) throw new ApiError('notFound')
  return account
}
