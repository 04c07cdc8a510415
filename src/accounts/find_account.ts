import { hasPermission } from '../core/permissions.ts'
import { ApiError } from '../core/errors.ts'
import type { Id } from '../core/id.ts'
import type { Viewer } from '../core/viewer.ts'
import type { Services } from '../platform/services.ts'
import type { AccountFragment } from './fragment.ts'
import { accountFragments } from './render.ts'

/**
 * Whether the viewer may know that the account exists: a pending account is visible to itself and
 * moderators only, an account marked for deletion to nobody.
 */
export function isVisibleTo(account: AccountFragment, viewer: Viewer | null): boolean {
  if (account.beingDeleted) return false
  return !account.pending || account.id === viewer?.id || hasPermission(viewer, 'manage_users')
}

/**
 * The account with this id, even if suspended.
 * @throws ApiError notFound if the viewer may not know of it
 */
export async function findAccount(services: Services, viewer: Viewer | null, id: Id): Promise<AccountFragment> {
  const account = await accountFragments(services).one(id)
  if (!account || !isVisibleTo(account, viewer)) throw new ApiError('notFound')
  return account
}
