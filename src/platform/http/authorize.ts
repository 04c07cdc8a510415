import { ApiError, type ErrorName } from '../../core/errors.ts'
import { grants } from '../../core/scopes.ts'
import type { Token, Viewer } from '../../core/viewer.ts'
import type { Services } from '../services.ts'
import type { AnyOperation } from './operation.ts'
import type { Request } from './request.ts'
import type { ParamTree } from './tree.ts'

/** The caller. For an operation with auth `public` both are null. */
export interface Caller {
  readonly token: Token | null
  readonly viewer: Viewer | null
}

export const ANONYMOUS: Caller = { token: null, viewer: null }
const BEARER = /^bearer +(\S+)\s*$/i

/** The secret that a request presents: the header, else `access_token`, else `bearer_token`. */
export function presentedToken(request: Request, parameters: ParamTree): string | undefined {
  const inHeader = BEARER.exec(request.header('authorization'))?.[1]
  if (inHeader !== undefined) return inHeader
  for (const name of ['access_token', 'bearer_token']) {
    const value = parameters[name]
    if (typeof value === 'string' && value !== '') return value
  }
  return undefined
}

/** The refusal of a token, with the header of RFC 6750. */
export function tokenError(code: ErrorName): ApiError {
  const plain = new ApiError(code)
  const error = plain.status === 401 ? 'invalid_token' : 'insufficient_scope'
  const challenge = `Bearer realm="Doorkeeper", error="${error}", error_description="${plain.message}"`
  return new ApiError(code, { headers: { 'WWW-Authenticate': challenge } })
}

/** Refuses a user that may not act; the first reason in this order counts. */
function requireFunctional(viewer: Viewer): void {
  if (viewer.suspended) throw new ApiError('loginDisabled')
  if (viewer.state === 'unconfirmed') throw new ApiError('unconfirmed')
  if (viewer.state === 'pending') throw new ApiError('pendingApproval')
  if (viewer.state === 'disabled') throw new ApiError('loginDisabled')
}

/**
 * Decides whether the caller may call the operation.
 * @param found the presented token; undefined when none was presented or it is unknown
 * @param presented whether a token was presented at all
 */
export function authorize(
  operation: AnyOperation,
  found: Token | undefined,
  settings: Services['settings'],
  isApi: boolean,
  presented: boolean,
): Caller {
  if (isApi) {
    const limited = settings.get('limited_federation_mode')
    if (limited && found?.viewer && found.viewer.state !== 'functional') requireFunctional(found.viewer)
    if (limited || settings.get('disallow_unauthenticated_api_access')) {
      const open =
        operation.allowWhenClosed === 'always' || (operation.allowWhenClosed === 'unlessLimitedFederation' && !limited)
      if (!open && !(found?.viewer && !found.revoked)) throw new ApiError('userRequired')
    }
    if (found?.viewer?.suspended === true && !found.revoked) throw new ApiError('loginDisabled')
  }
  if (operation.auth === 'public') return ANONYMOUS
  if (operation.auth === 'admin' && !presented) throw new ApiError('notAllowed')
  if (!found) return callerWithoutToken(operation)
  if (found.revoked && (operation.scopes.length > 0 || operation.auth === 'app')) throw tokenError('tokenRevoked')
  if (found.revoked) return callerWithoutToken(operation)
  if (operation.scopes.length > 0 && !operation.scopes.some(scope => grants(found.scopes, scope))) {
    throw tokenError('outsideScopes')
  }
  if (operation.refusesUsers && found.viewer) throw new ApiError('appTokenRequired')
  if (operation.auth === 'admin') {
    if (!found.viewer) throw new ApiError('notAllowed')
    requireFunctional(found.viewer)
  }
  if (operation.auth === 'user' || operation.auth === 'unconfirmed') {
    if (!found.viewer) throw new ApiError('functionalUserRequired')
    if (operation.auth === 'user') requireFunctional(found.viewer)
  }
  return { token: found, viewer: found.viewer }
}

function callerWithoutToken(operation: AnyOperation): Caller {
  if (operation.missingTokenError) throw new ApiError(operation.missingTokenError)
  if (operation.auth === 'optional') return ANONYMOUS
  if (operation.auth !== 'app' && operation.scopes.length === 0) throw new ApiError('functionalUserRequired')
  throw tokenError('tokenInvalid')
}
