import { accountFragments, findByHandle, isVisibleTo, type AccountFragment } from '../../accounts/index.ts'
import { ApiError } from '../../core/errors.ts'
import { requireActiveActor } from '../../federation/index.ts'
import type { Context } from '../../platform/http/index.ts'

/**
 * The account with a handle `@NAME` or `@NAME@DOMAIN` in a path, in any state.
 * @throws ApiError routeNotFound if it does not exist
 */
export async function findNamed(context: Context, handle: string): Promise<AccountFragment> {
  if (!handle.startsWith('@')) throw new ApiError('routeNotFound')
  const id = await findByHandle(context, handle)
  const account = id === undefined ? undefined : await accountFragments(context).one(id)
  if (!account) throw new ApiError('routeNotFound')
  return account
}

/**
 * The account with a handle, if its profile is shown.
 * @throws ApiError routeNotFound if it does not exist or is not confirmed, forbidden if it is
 * suspended or will be deleted, gone if it was deleted
 */
export async function findProfile(context: Context, handle: string): Promise<AccountFragment> {
  const account = await findNamed(context, handle)
  if (account.domain === null) await requireActiveActor(context, account.id)
  else if (!isVisibleTo(account, null)) throw new ApiError('routeNotFound')
  else if (account.suspended) throw new ApiError('forbidden')
  return account
}
