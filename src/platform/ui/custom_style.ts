import { createHash } from 'node:crypto'

const DIGEST_CHARACTERS = 16

/** Where the administrator's styles are: another address for each text, since browsers keep what is there for a month. */
export const customStylePath = (css: string): string =>
  `/css/custom-${createHash('sha256').update(css).digest('hex').slice(0, DIGEST_CHARACTERS)}.css`
