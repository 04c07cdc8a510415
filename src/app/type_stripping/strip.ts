import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { copyOf, FOLDER } from './copy.js'

/* Makes the copies without types that load.js reads, of all files of the source, and removes those that are of none. */

const SOURCE = fileURLToPath(new URL('../../', import.meta.url))

mkdirSync(FOLDER, { recursive: true })
const there = new Set(readdirSync(FOLDER))
for (const file of readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.ts')) continue
  const text = readFileSync(path.join(SOURCE, file), 'utf8')
  const copy = fileURLToPath(copyOf(text))
  if (there.delete(path.basename(copy))) continue
  // Whoever reads meanwhile finds all of it or nothing.
  const written = `${copy}.${process.pid}`
  writeFileSync(written, stripTypeScriptTypes(text))
  renameSync(written, copy)
}
for (const old of there) if (old.endsWith('.js')) rmSync(new URL(old, FOLDER))
