import { createHash, randomBytes } from 'node:crypto'

/** 32 random bytes as URL-safe base64, 43 characters: tokens, codes, client ids and secrets. */
export const randomSecret = (): string => randomBytes(32).toString('base64url')

/**
 * Tokens and codes are stored as SHA-256 only. They are random, so neither a salt nor a slow hash
 * is needed.
 */
export const hashSecret = (secret: string): Buffer => createHash('sha256').update(secret).digest()
