/* Loads every module that declares a statement, so that tests can check all of them. */
import { readdirSync } from 'node:fs'

const folder = new URL('../../src/', import.meta.url)

for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
  // The entry modules start a program when they are loaded.
  const isEntry = /(^|\/)(main|worker|dump|dev)\.ts$/.test(name)
  if (name.endsWith('.ts') && !isEntry) await import(new URL(name, folder).href)
}
