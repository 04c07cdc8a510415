import { createHmac, timingSafeEqual } from 'node:crypto'

/**
 * A keyed hash. Each `purpose` has its own key, so that a signature for one purpose is invalid for
 * another.
 */
export const sign = (secret: string, purpose: string, text: string): string =>
  createHmac('sha256', `${purpose}:${secret}`).update(text).digest('base64url')

/** Compares two signatures in constant time. */
export function sameSignature(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** A signed text: readable, but not changeable, by others. */
export const seal = (secret: string, purpose: string, text: string): string => {
  const encoded = Buffer.from(text).toString('base64url')
  return `${encoded}.${sign(secret, purpose, encoded)}`
}

/** The text of a signed cookie; undefined if it was not signed by this server for this purpose. */
export function unseal(secret: string, purpose: string, sealed: string): string | undefined {
  const [encoded = '', signature = ''] = sealed.split('.')
  return sameSignature(signature, sign(secret, purpose, encoded))
    ? Buffer.from(encoded, 'base64url').toString()
    : undefined
}
