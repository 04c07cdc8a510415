import { createHash } from 'node:crypto'

const DIGEST_CHARACTERS = 16

/**
 * The path of the administrator's styles. It changes with the text, since browsers cache it for a
 * month.
 */
export const customStylePath = (css: string): string =>
  `/css/custom-${createHash('sha256').update(css).digest('hex').slice(0, DIGEST_CHARACTERS)}.css`
