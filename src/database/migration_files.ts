import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** A file of sql/migrations. */
export interface Migration {
  /** The file's name without `.sql`: its key in the table `migrations`. */
  name: string
  path: string
  /** SHA-256 of the text, in hex. The same for both kinds of line ends, since git may change them on the way. */
  checksum: string
  /** What is sent one after the other: the whole file; without a transaction, its parts between lines `--! then`. */
  parts: readonly Part[]
  /** Whether all of it commits or nothing. Not so for a file whose first line is `--! no transaction`. */
  inTransaction: boolean
}

/** A piece of a file, with the number of lines above it. */
export interface Part {
  text: string
  linesAbove: number
}

export const migrationsFolder = fileURLToPath(new URL('../../sql/migrations/', import.meta.url))

const NAME = /^(\d{4})_[a-z0-9_]+\.sql$/
const NO_TRANSACTION = '--! no transaction'
const THEN = '--! then'

/** PostgreSQL runs several statements that come together in one transaction, whether asked to or not, so they are sent apart. */
function splitParts(text: string): Part[] {
  const parts: Part[] = []
  let lines: string[] = []
  let linesAbove = 0
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === THEN) {
      parts.push({ text: lines.join('\n'), linesAbove })
      lines = []
      linesAbove = index + 1
    } else lines.push(line)
  }
  return [...parts, { text: lines.join('\n'), linesAbove }]
}

function readMigration(folder: string, file: string): Migration {
  const path = join(folder, file)
  const text = readFileSync(path, 'utf8').replaceAll('\r\n', '\n')
  const inTransaction = text.split('\n', 1)[0]?.trim() !== NO_TRANSACTION
  return {
    name: file.slice(0, -'.sql'.length),
    path,
    checksum: createHash('sha256').update(text).digest('hex'),
    parts: inTransaction ? [{ text, linesAbove: 0 }] : splitParts(text),
    inTransaction,
  }
}

/** The migrations in a folder, in order. Throws when a file is not named `NNNN_what_it_does.sql`, or two have one number. */
export function readMigrations(folder: string): Migration[] {
  const files = readdirSync(folder)
    .filter(file => file.endsWith('.sql'))
    .toSorted()
  const numbers = new Map<string, string>()
  for (const file of files) {
    const number = NAME.exec(file)?.[1]
    if (number === undefined) throw new Error(`migration ${file} is not named like 0001_what_it_does.sql`)
    const other = numbers.get(number)
    if (other !== undefined) throw new Error(`migrations ${other} and ${file} have the same number`)
    numbers.set(number, file)
  }
  return files.map(file => readMigration(folder, file))
}
