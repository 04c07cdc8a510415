import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { copyOf, FOLDER } from './copy.js'

/** Writes type-stripped copies of all source files for load.js, and removes outdated copies. */

const SOURCE = fileURLToPath(new URL('../../', import.meta.url))

mkdirSync(FOLDER, { recursive: true })
const there = new Set(readdirSync(FOLDER))
for (const file of readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.ts')) continue
  const text = readFileSync(path.join(SOURCE, file), 'utf8')
  const copy = fileURLToPath(copyOf(text))
  if (there.delete(path.basename(copy))) continue
  // Renamed when complete, so that readers never see a partial file.
  const written = `${copy}.${process.pid}`
  writeFileSync(written, stripTypeScriptTypes(text))
  renameSync(written, copy)
}
for (const old of there) if (old.endsWith('.js')) rmSync(new URL(old, FOLDER))
