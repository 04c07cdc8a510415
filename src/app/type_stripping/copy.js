// @ts-check
import { createHash } from 'node:crypto'

/** Where copies without types are kept. */
export const FOLDER = new URL('../../../node_modules/.cache/millrace/', import.meta.url)

/** The file of the copy of a text. Its name says what it is a copy of, so that it is never stale. */
export const copyOf = (/** @type {string} */ text) =>
  new URL(`${createHash('sha256').update(process.version).update(text).digest('hex')}.js`, FOLDER)
