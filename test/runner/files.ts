import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'

/** The test files that are meant: files as they are, all below folders, by name. Throws on what is not there. */
export function findTestFiles(given: readonly string[]): string[] {
  const files = given.flatMap(place => (statSync(place).isDirectory() ? below(place) : [path.normalize(place)]))
  return [...new Set(files)].toSorted()
}

const below = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.test.ts'))
    .map(name => path.join(folder, name))
