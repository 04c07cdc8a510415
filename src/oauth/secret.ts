import { randomBytes } from 'node:crypto'

/** 32 random bytes as URL-safe base64, 43 characters: tokens, codes, client ids and secrets. */
export const randomSecret = (): string => randomBytes(32).toString('base64url')
