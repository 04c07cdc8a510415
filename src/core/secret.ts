import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'

/** 32 random bytes as URL-safe base64, 43 characters: tokens, codes, client ids and secrets. */
export const randomSecret = (): string => randomBytes(32).toString('base64url')

/**
 * Tokens and codes are stored as SHA-256 only. They are random, so neither a salt nor a slow hash
 * is needed.
 */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest()

/** Compares a secret with what a client presents, any text, in constant time for one length. */
export function sameSecret(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
