// @ts-check
import { readFileSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'
import '../../src/app/type_stripping/load.js'
import { copyOf } from '../../src/app/type_stripping/copies.js'

/*
 * Loaded before a test file: as for a server, it takes test files and source from copies without
 * types. Otherwise each of some hundred processes would load the parser, and strip the types of
 * what it loads.
 */

/** Packages that the source loads from one file: a test is not to load them a second time. */
const ONE_FILE = ['rxjs', 'tldts']
const SERVER = new URL('../../src/main.ts', import.meta.url).href
const TESTS = new URL('../', import.meta.url).href
/** As build.ts makes them. */
const COPIES = fileURLToPath(new URL('../../.build-tests/', import.meta.url))

module.registerHooks({
  resolve(specifier, context, nextResolve) {
    const isOfTest = ONE_FILE.includes(specifier) && context.parentURL?.startsWith(TESTS)
    return nextResolve(specifier, isOfTest ? { ...context, parentURL: SERVER } : context)
  },
  load(url, context, nextLoad) {
    if (!url.startsWith(TESTS) || !url.endsWith('.ts')) return nextLoad(url, context)
    try {
      const text = readFileSync(fileURLToPath(url), 'utf8')
      return { format: 'module', source: readFileSync(copyOf(text, COPIES), 'utf8'), shortCircuit: true }
    } catch {
      // Written after the run began.
      return nextLoad(url, context)
    }
  },
})
