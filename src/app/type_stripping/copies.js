// @ts-check
import { hash } from 'node:crypto'
import { fileURLToPath } from 'node:url'

/** The folder of the copies without types; it ends with a slash. */
export const FOLDER = fileURLToPath(new URL('../../../.build/', import.meta.url))

/**
 * The file that holds the copy of this source text. It is named by the content, so a copy is never
 * stale, also in a package that runs on a later Node.js than the one that made it.
 */
export const copyOf = (/** @type {string} */ text, folder = FOLDER) => `${folder}${hash('sha256', text)}.js`

let missing = 0

/** How many files this process loaded for which load.js found no copy. */
export const missingCopies = () => missing

export const countMissing = () => {
  missing += 1
}
