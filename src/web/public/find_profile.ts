import { accountFragments, findByHandle, isKnownTo, type AccountFragment } from '../../accounts/index.ts'
import { ApiError } from '../../core/errors.ts'
import type { Services } from '../../platform/services.ts'

/**
 * The account with a handle `@NAME` or `@NAME@DOMAIN` in a path.
 * @throws ApiError routeNotFound if it does not exist or is not public, forbidden if it is
 * suspended
 */
export async function findProfile(services: Services, handle: string): Promise<AccountFragment> {
  if (!handle.startsWith('@')) throw new ApiError('routeNotFound')
  const id = await findByHandle(services, handle)
  const account = id === undefined ? undefined : await accountFragments(services).one(id)
  if (!account || !isKnownTo(account, null)) throw new ApiError('routeNotFound')
  if (account.suspended) throw new ApiError('forbidden')
  return account
}
