import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A file of sql/migrations. */
export interface Migration {
  /** The file's name without `.sql`: its key in the table `migrations`. */
  name: string
  /**
   * SHA-256 of the text, in hex. The same for both kinds of line ends, since git may convert them.
   * Excludes the functions that the file creates: they may change without it.
   */
  checksum: string
  /**
   * The checksums of earlier texts of the file, from its lines `--! replaces`: they made the same
   * of a database, less well, so that one to which they were applied has this migration.
   */
  replaces: readonly string[]
  /**
   * Sent one after the other: the file between the functions that it creates; without a
   * transaction, also between lines `--! then`.
   */
  parts: readonly Part[]
  /**
   * Whether the whole file runs in one transaction. False when its first line is `--! no
   * transaction`.
   */
  inTransaction: boolean
  /**
   * Whether processes of the previous release cannot work with the database that it makes. True
   * when the file has a line `--! stop first`: a rolling restart refuses it.
   */
  stopFirst: boolean
}

/** A file of sql/functions: one function, or a few that depend on each other. */
export interface FunctionFile {
  /** The file's name without `.sql`: its key in the table `functions`. */
  name: string
  /** As for a migration. */
  checksum: string
  /** The names of the functions that the file creates. */
  creates: readonly string[]
  /**
   * The files that its lines `--! function` name: a migration that creates it creates them before
   * it, for rows whose index is built with it.
   */
  needs: readonly string[]
  part: Part
}

/**
 * A piece of SQL that is sent at once: a file or part of one, with the number of lines above it.
 */
export interface Part {
  path: string
  text: string
  linesAbove: number
}

/** The folder `sql`, with the folders `migrations`, `functions` and `queries`. */
export const sqlFolder = fileURLToPath(new URL('../../../sql/', import.meta.url))

const NAME = /^(\d{4})_[a-z0-9_]+\.sql$/
const NO_TRANSACTION = '--! no transaction'
const THEN = '--! then'
const REPLACES = /^--! replaces ([0-9a-f]{64})$/gm
const STOP_FIRST = /^--! stop first$/m
const CREATE = /^--! function ([a-z0-9_]+)$/
const NEEDS = /^--! function ([a-z0-9_]+)$/gm
const FUNCTION = /^create or replace function ([a-z0-9_]+)/gm

function read(path: string): { text: string; checksum: string } {
  const text = readFileSync(path, 'utf8').replaceAll('\r\n', '\n')
  return { text, checksum: createHash('sha256').update(text).digest('hex') }
}

const filesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter(file => file.endsWith('.sql'))
    .toSorted()

const withoutEnding = (file: string): string => file.slice(0, -'.sql'.length)

/**
 * The functions in a folder by name. Throws when a file does not create the function that it is
 * named after.
 */
export function readFunctions(folder: string): Map<string, FunctionFile> {
  const files = filesIn(folder).map((file): FunctionFile => {
    const path = join(folder, file)
    const { text, checksum } = read(path)
    const name = withoutEnding(file)
    const creates = [...new Set([...text.matchAll(FUNCTION)].map(found => found[1] ?? ''))]
    if (!creates.includes(name)) throw new Error(`${path} does not contain \`create or replace function ${name}\``)
    const needs = [...text.matchAll(NEEDS)].map(found => found[1] ?? '')
    return { name, checksum, creates, needs, part: { path, text, linesAbove: 0 } }
  })
  return new Map(files.map(file => [file.name, file]))
}

/** The parts that create a function: the functions that it needs come first. */
function functionParts(place: string, name: string, functions: ReadonlyMap<string, FunctionFile>): Part[] {
  const created = functions.get(name)
  if (!created) throw new Error(`${place}: there is no file sql/functions/${name}.sql`)
  return [...created.needs.flatMap(needed => functionParts(created.part.path, needed, functions)), created.part]
}

/**
 * PostgreSQL runs statements that are sent together in one transaction in any case, so parts are
 * sent separately.
 */
function splitParts(path: string, text: string, functions: ReadonlyMap<string, FunctionFile>): Part[] {
  const parts: Part[] = []
  let lines: string[] = []
  let linesAbove = 0
  const endPart = (nextLine: number): void => {
    if (lines.some(line => line.trim() !== '')) parts.push({ path, text: lines.join('\n'), linesAbove })
    lines = []
    linesAbove = nextLine
  }
  for (const [index, line] of text.split('\n').entries()) {
    const name = CREATE.exec(line.trim())?.[1]
    if (name === undefined && line.trim() !== THEN) {
      lines.push(line)
      continue
    }
    endPart(index + 1)
    if (name !== undefined) parts.push(...functionParts(`${path}:${index + 1}`, name, functions))
  }
  endPart(0)
  return parts
}

function readMigration(folder: string, file: string, functions: ReadonlyMap<string, FunctionFile>): Migration {
  const path = join(folder, file)
  const { text, checksum } = read(path)
  const inTransaction = text.split('\n', 1)[0]?.trim() !== NO_TRANSACTION
  const parts = splitParts(path, text, functions)
  const replaces = [...text.matchAll(REPLACES)].map(found => found[1] ?? '')
  return { name: withoutEnding(file), checksum, replaces, parts, inTransaction, stopFirst: STOP_FIRST.test(text) }
}

/** Whether a migration that was applied with this checksum is this one. */
export const isSameMigration = ({ checksum, replaces }: Migration, applied: string): boolean =>
  checksum === applied || replaces.includes(applied)

/** The names of the migrations in a folder, in order. */
export const listMigrations = (folder: string): string[] => filesIn(folder).map(withoutEnding)

/**
 * The migrations in a folder, in order. Throws when a file is not named `NNNN_what_it_does.sql`, or
 * two have the same number.
 */
export function readMigrations(folder: string, functions: ReadonlyMap<string, FunctionFile>): Migration[] {
  const files = filesIn(folder)
  const numbers = new Map<string, string>()
  for (const file of files) {
    const number = NAME.exec(file)?.[1]
    if (number === undefined) throw new Error(`migration ${file} is not named like 0001_what_it_does.sql`)
    const other = numbers.get(number)
    if (other !== undefined) throw new Error(`migrations ${other} and ${file} have the same number`)
    numbers.set(number, file)
  }
  return files.map(file => readMigration(folder, file, functions))
}
