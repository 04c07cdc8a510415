import { createHmac, timingSafeEqual } from 'node:crypto'

/** A keyed hash; each `purpose` has a key of its own, so that what is signed for one is nothing for another. */
export const sign = (secret: string, purpose: string, text: string): string =>
  createHmac('sha256', `${purpose}:${secret}`).update(text).digest('base64url')

/** Whether two signatures are the same, without telling by the time where they differ. */
export function sameSignature(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** A text that others can read but not change. */
export const seal = (secret: string, purpose: string, text: string): string => {
  const encoded = Buffer.from(text).toString('base64url')
  return `${encoded}.${sign(secret, purpose, encoded)}`
}

/** The text that was sealed, or undefined when it was not sealed here, for this. */
export function unseal(secret: string, purpose: string, sealed: string): string | undefined {
  const [encoded = '', signature = ''] = sealed.split('.')
  return sameSignature(signature, sign(secret, purpose, encoded))
    ? Buffer.from(encoded, 'base64url').toString()
    : undefined
}
