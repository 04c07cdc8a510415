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
const SOURCE_PATH = fileURLToPath(SOURCE)

/** Marks the module that exports the names of RxJS's bundle. */
const NAMES = '?names'

/** A module of a package, where its file is there. */
const moduleAt = (/** @type {URL} */ file, suffix = '') =>
  existsSync(file) ? { url: file.href + suffix, format: 'module', shortCircuit: true } : undefined

/**
 * Packages that are loaded from one file beside those that their package leads to, by the URL that
 * it leads to.
 * @type {Record<string, ((resolved: string) => ReturnType<typeof moduleAt>) | undefined>}
 */
const ONE_FILE = {
  // Instead of 220 files.
  rxjs: resolved => moduleAt(new URL('../bundles/rxjs.umd.min.js', resolved), NAMES),
  // Instead of 200 kB of CommonJS, in which Node.js looks for exported names.
  tldts: resolved => moduleAt(new URL('../index.esm.min.js', resolved)),
}

/**
 * RxJS's bundle is CommonJS in a form whose names Node.js does not see: this module exports them.
 */
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

/**
 * Resolves a relative specifier against a file. There are ten imports for each file, and `URL` takes
 * several times as long.
 */
function join(/** @type {string} */ parent, /** @type {string} */ specifier) {
  let end = parent.lastIndexOf('/')
  let rest = specifier.startsWith('./') ? specifier.slice(2) : specifier
  while (rest.startsWith('../')) {
    end = parent.lastIndexOf('/', end - 1)
    rest = rest.slice(3)
  }
  return parent.slice(0, end + 1) + rest
}

module.registerHooks({
  resolve(specifier, context, nextResolve) {
    if (!context.parentURL?.startsWith(SOURCE)) return nextResolve(specifier, context)
    // The source names its files in full, so there is nothing to look for on the disk.
    if (specifier.startsWith('.') && specifier.endsWith('.ts'))
      return { url: join(context.parentURL, specifier), shortCircuit: true }
    const find = ONE_FILE[specifier]
    return find?.(nextResolve(specifier, context).url) ?? nextResolve(specifier, context)
  },
  load(url, context, nextLoad) {
    if (url.endsWith(NAMES))
      return { format: 'module', source: exportBundle(url.slice(0, -NAMES.length)), shortCircuit: true }
    if (!url.startsWith(SOURCE) || !url.endsWith('.ts')) return nextLoad(url, context)
    const source = readCopy(readFileSync(SOURCE_PATH + url.slice(SOURCE.length), 'utf8'))
    return source === undefined ? nextLoad(url, context) : { format: 'module', source, shortCircuit: true }
  },
})
