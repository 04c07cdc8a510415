// @ts-check
import { readFileSync } from 'node:fs'
import module from 'node:module'
import { copyOf, countMissing } from './copies.js'

/*
 * Loaded before the server (`node --import ./src/app/type_stripping/load.js src/main.ts`). It loads
 * this project's TypeScript from the copies that build.js makes. Without them Node.js strips the
 * types at each start, which takes it half a second, and its parser stays in memory with 27 MB.
 * This file is JavaScript for the same reason.
 */

const SOURCE = new URL('../../', import.meta.url).href

/** @returns {string | undefined} undefined: there is no copy of this text */
function readCopy(/** @type {string} */ text) {
  try {
    return readFileSync(copyOf(text), 'utf8')
  } catch {
    countMissing()
    return undefined
  }
}

module.registerHooks({
  load(url, context, nextLoad) {
    if (!url.startsWith(SOURCE) || !url.endsWith('.ts')) return nextLoad(url, context)
    const source = readCopy(readFileSync(new URL(url), 'utf8'))
    return source === undefined ? nextLoad(url, context) : { format: 'module', source, shortCircuit: true }
  },
})
