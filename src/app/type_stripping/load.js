// @ts-check
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'
import { copyOf } from './copy.js'

/*
 * Loaded before the server (`node --import ./src/app/type_stripping/load.js src/main.ts`): the TypeScript of this project is then read from copies without
 * types, made at the first start and kept. Without it all works as well, but Node.js would strip the types at each start, which takes it half a second, and
 * its parser would stay in memory with 27 MB. That is why this file is JavaScript, and why a process of its own makes the copies.
 */

const SOURCE = new URL('../../', import.meta.url).href
const STRIP = fileURLToPath(new URL('strip.ts', import.meta.url))

let asked = false

/** @returns {string | undefined} undefined: there is no copy, and none can be made */
function readCopy(/** @type {URL} */ file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    if (asked) return undefined
    asked = true
    // The empty environment keeps NODE_OPTIONS away: they could bring this file into that process, and it would start another.
    spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', STRIP], { env: {}, stdio: 'ignore' })
    return readCopy(file)
  }
}

module.registerHooks({
  load(url, context, nextLoad) {
    if (!url.startsWith(SOURCE) || !url.endsWith('.ts')) return nextLoad(url, context)
    const source = readCopy(copyOf(readFileSync(new URL(url), 'utf8')))
    return source === undefined ? nextLoad(url, context) : { format: 'module', source, shortCircuit: true }
  },
})
