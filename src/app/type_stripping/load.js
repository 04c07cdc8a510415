// @ts-check
import { existsSync, readFileSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'
import { copyOf, countMissing } from './copies.js'

/*
 * Loaded before the server (`node --import ./src/app/type_stripping/load.js src/main.ts`). It loads
 * this project's TypeScript from the copies that build.js makes. Without them Node.js strips the
 * types at each start, which takes it half a second, and its parser stays in memory with 27 MB.
 * This file is JavaScript for the same reason. Start-up also avoids most of the work of finding
 * modules: "Start-up" in DECISIONS.md has the figures.
 */

const SOURCE = new URL('../../', import.meta.url).href

/** Marks the module that exports the names of RxJS's bundle. */
const NAMES = '?names'

/**
 * The one file of RxJS that its package has beside the 220 that its `exports` lead to.
 * @returns {string} what was resolved, when the package has no such file
 */
function findBundle(/** @type {string} */ resolved) {
  const bundle = new URL('../bundles/rxjs.umd.min.js', resolved)
  return existsSync(bundle) ? `${bundle.href}${NAMES}` : resolved
}

/** The bundle is CommonJS in a form whose names Node.js does not see: this module exports them. */
function exportBundle(/** @type {string} */ bundle) {
  const names = Object.keys(module.createRequire(import.meta.url)(fileURLToPath(bundle)))
  return `import bundle from ${JSON.stringify(bundle)}\nexport const { ${names.join(', ')} } = bundle`
}

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
  resolve(specifier, context, nextResolve) {
    if (!context.parentURL?.startsWith(SOURCE)) return nextResolve(specifier, context)
    // The source names its files in full, so there is nothing to look for on the disk.
    if (specifier.startsWith('.') && specifier.endsWith('.ts'))
      return { url: new URL(specifier, context.parentURL).href, shortCircuit: true }
    if (specifier !== 'rxjs') return nextResolve(specifier, context)
    const url = findBundle(nextResolve(specifier, context).url)
    return { url, format: url.endsWith(NAMES) ? 'module' : undefined, shortCircuit: true }
  },
  load(url, context, nextLoad) {
    if (url.endsWith(NAMES))
      return { format: 'module', source: exportBundle(url.slice(0, -NAMES.length)), shortCircuit: true }
    if (!url.startsWith(SOURCE) || !url.endsWith('.ts')) return nextLoad(url, context)
    const source = readCopy(readFileSync(new URL(url), 'utf8'))
    return source === undefined ? nextLoad(url, context) : { format: 'module', source, shortCircuit: true }
  },
})
