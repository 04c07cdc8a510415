import { ApiError } from '../core/errors.ts'
import { hasPermission, type Permission } from '../core/permissions.ts'
import type { Viewer } from '../core/viewer.ts'
import { operation, type AnyOperation, type Context } from '../platform/http/index.ts'
import type { Operation } from '../platform/http/operation.ts'
import type { Declared, Parsed } from '../platform/http/param/index.ts'

/** @throws ApiError notAllowed unless the viewer's role has one of the permissions */
export function requirePermission(viewer: Viewer, ...names: readonly Permission[]): void {
  if (!names.some(name => hasPermission(viewer, name))) throw new ApiError('notAllowed')
}

type Inherited<P extends Declared> = Omit<Operation<P, 'admin'>, 'auth' | 'handle' | 'cache'>

interface AdminOperation<P extends Declared, R> extends Inherited<P> {
  /** The role needs any one of these. */
  readonly permission: Permission | readonly Permission[]
  /**
   * Finds the record that the path names; called before the permission is checked. Undefined
   * responds with a 404.
   */
  find?(parameters: Parsed<P>, context: Context<'admin'>): Promise<R | undefined> | R | undefined
  handle(parameters: Parsed<P>, context: Context<'admin'>, record: R): ReturnType<Operation['handle']>
}

/**
 * Declares an operation of the admin API. The token's scope is checked first (403), then the record
 * (404), then the permission of the caller's role (403).
 */
export function adminOperation<const P extends Declared, R = undefined>(declared: AdminOperation<P, R>): AnyOperation {
  const { permission, find, handle, ...rest } = declared
  const permissions: readonly Permission[] = typeof permission === 'string' ? [permission] : permission
  return operation<P, 'admin'>({
    ...rest,
    auth: 'admin',
    async handle(parameters, context) {
      const record = await find?.(parameters, context)
      if (find && record === undefined) throw new ApiError('notFound')
      requirePermission(context.viewer, ...permissions)
      return handle(parameters, context, record as R)
    },
  })
}
