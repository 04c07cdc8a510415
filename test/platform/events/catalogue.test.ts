import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import { EVENTS } from '../../../src/platform/events/index.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const FOLDERS = ['sql/queries', 'sql/functions', 'sql/migrations']

interface Insert {
  readonly file: string
  readonly columns: readonly string[]
  /** The statement from `insert` on, up to the end of its part. */
  readonly text: string
}

interface Declared {
  readonly meaning: string
  readonly ids?: readonly string[]
  readonly optionalIds?: readonly string[]
  readonly changes?: readonly string[]
}

const INSERT = /insert into events(?: as \w+)? \(([^)]*)\)(.*?)(?:\breturning\b|;)/gs
/**
 * A kind, or a change in one of the two ways in which statements give it: as JSON, or as a case in
 * an object that is built.
 */
const TOKEN = /'([a-z_]+\.[a-z_]+)'|"change": "([a-z_]+)"|'change', (case\b.*?\bend\b)?/gs

const inserts: readonly Insert[] = FOLDERS.flatMap(folder =>
  readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.sql'))
    .flatMap(name => {
      const text = readFileSync(path.join(ROOT, folder, name), 'utf8').replaceAll(/--.*$/gm, '')
      return [...text.matchAll(INSERT)].map(([, columns = '', statement = '']) => ({
        file: `${folder}/${name}`,
        columns: columns.split(', '),
        text: statement,
      }))
    }),
)

/**
 * The kinds that a statement inserts, each with the changes that stand behind it and before the
 * next kind.
 */
function kindsIn({ file, text }: Insert): Map<string, Set<string>> {
  const kinds = new Map<string, Set<string>>()
  let changes: Set<string> | undefined
  for (const [, kind, change, choice] of text.matchAll(TOKEN)) {
    if (kind !== undefined) {
      changes = kinds.get(kind) ?? new Set()
      kinds.set(kind, changes)
      continue
    }
    assert.ok(changes, `${file}: a change stands before the kind of its event`)
    if (change !== undefined) changes.add(change)
    else {
      assert.ok(choice !== undefined, `${file}: a change is not spelled out`)
      for (const [, one = ''] of choice.matchAll(/\b(?:then|else) '([a-z_]+)'/g)) changes.add(one)
    }
  }
  return kinds
}

const declared: ReadonlyMap<string, Declared> = new Map(Object.entries(EVENTS))

test('statements insert events of declared kinds and changes, and each that is declared is inserted', async () => {
  const inserted = new Map<string, Set<string>>()
  for (const insert of inserts) {
    const kinds = kindsIn(insert)
    assert.ok(kinds.size > 0, `${insert.file}: the kind is not spelled out`)
    for (const [kind, changes] of kinds) inserted.set(kind, new Set([...(inserted.get(kind) ?? []), ...changes]))
  }
  const namesOf = (kinds: Iterable<[string, Iterable<string>]>): string[] =>
    [...kinds].flatMap(([kind, changes]) => [kind, ...Array.from(changes, change => `${kind}: ${change}`)])
  assert.ok(inserts.length > 100)
  assert.deepEqual(
    new Set(namesOf(inserted)),
    new Set(namesOf([...declared].map(([kind, { changes = [] }]) => [kind, changes]))),
  )
})

test('statements give the columns of ids that a kind sets, and no others', async () => {
  for (const insert of inserts) {
    const kinds = [...kindsIn(insert).keys()]
    const given = insert.columns.filter(column => column.endsWith('_id'))
    for (const kind of kinds) {
      const { ids = [], optionalIds = [] }: Partial<Declared> = declared.get(kind) ?? {}
      for (const column of ids) assert.ok(given.includes(column), `${insert.file}: ${kind} is without ${column}`)
      // What is told together has the columns of all.
      if (kinds.length > 1) continue
      for (const column of given) assert.ok([...ids, ...optionalIds].includes(column), `${insert.file}: ${column}`)
    }
  }
})
