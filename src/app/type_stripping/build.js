// @ts-check
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import module from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { copyOf, FOLDER } from './copies.js'

/*
 * `npm run build`, and the first step of `npm start`: makes the copies without types that load.js
 * reads, of all files of the source that changed, and removes outdated copies. With
 * --optional a folder that cannot be written is no error: the server starts without copies, and
 * warns. Two folders as arguments, which end with a slash, are those of another source and of its
 * copies.
 */

const OPTIONAL = '--optional'
const SOURCE = fileURLToPath(new URL('../../', import.meta.url))

function strip(/** @type {string} */ file, /** @type {string} */ text) {
  try {
    return module.stripTypeScriptTypes(text)
  } catch (cause) {
    throw new Error(`the types in ${file} cannot be stripped`, { cause })
  }
}

function build(source = SOURCE, copies = FOLDER) {
  mkdirSync(copies, { recursive: true })
  const there = new Set(readdirSync(copies))
  for (const file of readdirSync(source, { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue
    const text = readFileSync(path.join(source, file), 'utf8')
    const copy = copyOf(text, copies)
    if (there.delete(path.basename(copy))) continue
    // Written under a temporary name and renamed, so that a process that starts meanwhile never
    // reads a partial file.
    const written = `${copy}.${process.pid}`
    writeFileSync(written, strip(path.join(source, file), text))
    renameSync(written, copy)
  }
  for (const old of there) if (old.endsWith('.js')) rmSync(path.join(copies, old), { force: true })
}

// stripTypeScriptTypes() warns that it is experimental.
process.removeAllListeners('warning')
try {
  build(...process.argv.slice(2).filter(argument => argument !== OPTIONAL))
} catch (error) {
  if (!process.argv.includes(OPTIONAL)) throw error
}
