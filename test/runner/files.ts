import { readdirSync, statSync } from 'node:fs'
import path from 'node:path'

/**
 * The selected test files: named files, and all below named folders, sorted by name.
 * @throws Error for a missing one
 */
export function findTestFiles(given: readonly string[]): string[] {
  const files = given.flatMap(place => (statSync(place).isDirectory() ? below(place) : [path.normalize(place)]))
  return [...new Set(files)].toSorted()
}

const below = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.test.ts'))
    .map(name => path.join(folder, name))
