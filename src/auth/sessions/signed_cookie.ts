import { createHmac } from 'node:crypto'
import { sameSecret } from '../../core/secret.ts'

/**
 * A keyed hash. Each `purpose` has its own key, so that a signature for one purpose is invalid for
 * another.
 */
export const sign = (secret: string, purpose: string, text: string): string =>
  createHmac('sha256', `${purpose}:${secret}`).update(text).digest('base64url')

/** A signed text: readable, but not changeable, by others. */
export const seal = (secret: string, purpose: string, text: string): string => {
  const encoded = Buffer.from(text).toString('base64url')
  return `${encoded}.${sign(secret, purpose, encoded)}`
}

/** The text of a signed cookie; undefined if it was not signed by this server for this purpose. */
export function unseal(secret: string, purpose: string, sealed: string): string | undefined {
  const [encoded = '', signature = ''] = sealed.split('.')
  return sameSecret(signature, sign(secret, purpose, encoded))
    ? Buffer.from(encoded, 'base64url').toString()
    : undefined
}
