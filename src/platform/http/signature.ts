import { ApiError } from '../../core/errors.ts'
import type { Services } from '../services.ts'
import type { Request } from './request.ts'

/**
 * Media types of accounts, posts and collections for other servers
 * (https://www.w3.org/TR/activitypub/#retrieving-objects).
 */
const ACTIVITY = /\bapplication\/(activity|ld)\+json\b/i

/**
 * Documents that other servers need before they can sign: the instance actor, the well-known
 * addresses and nodeinfo. Clients' calls are no documents.
 */
const OPEN = /^\/(actor|api|oauth|\.well-known|nodeinfo)(\/|$)/

/**
 * In authorized fetch mode, which limited federation mode implies, other servers must sign their
 * requests. The document's own handler verifies the signature.
 * @throws ApiError unsigned
 */
export function requireSignature(request: Request, settings: Services['settings']): void {
  if (!settings.get('authorized_fetch') && !settings.get('limited_federation_mode')) return
  if (!ACTIVITY.test(request.header('accept')) || OPEN.test(request.path)) return
  if (request.header('signature') === '' && request.header('signature-input') === '') {
    throw new ApiError('unsigned', { headers: { Vary: 'Accept, Signature' } })
  }
}
