import { ECDH } from 'node:crypto'
import { validationError } from '../../core/errors.ts'

/** Base64 in either alphabet, with or without padding: clients differ. */
const BASE64 = /^[A-Za-z0-9+/_-]+={0,2}$/
const AUTH_BYTES = 16
/** An uncompressed point. */
const POINT_BYTES = 65

export interface SubscriptionKeys {
  readonly p256dh: string
  readonly auth: string
}

const bytesOf = (text: string): Buffer => Buffer.from(BASE64.test(text) ? text : '', 'base64')

function isPoint(bytes: Buffer): boolean {
  if (bytes.length !== POINT_BYTES || bytes[0] !== 4) return false
  try {
    ECDH.convertKey(bytes, 'prime256v1')
    return true
  } catch {
    // Not on the curve.
    return false
  }
}

/**
 * The encryption keys of a subscription (RFC 8291, section 3), in URL-safe base64 without padding.
 * @throws ApiError validation unless they are a point of P-256 and 16 bytes
 */
export function parseKeys({ p256dh, auth }: SubscriptionKeys): SubscriptionKeys {
  const [point, secret] = [bytesOf(p256dh), bytesOf(auth)]
  if (!isPoint(point) || secret.length !== AUTH_BYTES) throw validationError('is not a valid Ed25519 or Curve25519 key')
  return { p256dh: point.toString('base64url'), auth: secret.toString('base64url') }
}
