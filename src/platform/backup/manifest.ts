import { BackupError } from './backup_error.ts'

/** The first file of a backup. */
export const MANIFEST = 'manifest.json'
/** The last file; a backup without it is incomplete. */
export const SUMMARY = 'summary.json'
/** Folders in a backup: the rows of each table, in batches, and the stored files. */
export const TABLES = 'database/'
export const MEDIA = 'media/'

const FORMAT = 1

export interface Migrated {
  readonly name: string
  readonly checksum: string
}

export interface BackupTable {
  /** The quoted name, with the schema unless that is `public`. */
  readonly name: string
  readonly columns: readonly string[]
}

export interface Manifest {
  readonly format: number
  /** The version of the server. */
  readonly version: string
  /** ISO 8601. */
  readonly createdAt: string
  readonly migrations: readonly Migrated[]
  readonly tables: readonly BackupTable[]
}

export interface Summary {
  /** By table. */
  readonly rows: Readonly<Record<string, number>>
  /** The last value of each sequence that was used. */
  readonly sequences: Readonly<Record<string, string>>
  readonly files: number
}

type Fields = Readonly<Record<string, unknown>>

const invalid = (): BackupError => new BackupError('The file is not a backup, or it is damaged')

function fieldsOf(value: unknown): Fields {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) throw invalid()
  return Object.fromEntries(Object.entries(value))
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw invalid()
  return value
}

function countOf(value: unknown): number {
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0) throw invalid()
  return value
}

function listOf<T>(value: unknown, parse: (item: unknown) => T): T[] {
  if (!Array.isArray(value)) throw invalid()
  return value.map(item => parse(item))
}

const mapOf = <T>(value: unknown, parse: (item: unknown) => T): Record<string, T> =>
  Object.fromEntries(Object.entries(fieldsOf(value)).map(([key, item]) => [key, parse(item)]))

function parseJson(bytes: Buffer): Fields {
  try {
    return fieldsOf(JSON.parse(bytes.toString()))
  } catch (error) {
    throw error instanceof SyntaxError ? invalid() : error
  }
}

/** @throws BackupError for anything but a manifest that this version can read */
export function parseManifest(bytes: Buffer): Manifest {
  const { format, version, createdAt, migrations, tables } = parseJson(bytes)
  if (countOf(format) > FORMAT) throw new BackupError(`The backup was made by a newer version, ${textOf(version)}`)
  return {
    format: FORMAT,
    version: textOf(version),
    createdAt: textOf(createdAt),
    migrations: listOf(migrations, item => {
      const { name, checksum } = fieldsOf(item)
      return { name: textOf(name), checksum: textOf(checksum) }
    }),
    tables: listOf(tables, item => {
      const { name, columns } = fieldsOf(item)
      return { name: textOf(name), columns: listOf(columns, textOf) }
    }),
  }
}

/** @throws BackupError for anything but a summary */
export function parseSummary(bytes: Buffer): Summary {
  const { rows, sequences, files } = parseJson(bytes)
  return { rows: mapOf(rows, countOf), sequences: mapOf(sequences, textOf), files: countOf(files) }
}

export const encodeManifest = (manifest: Omit<Manifest, 'format'>): Buffer =>
  Buffer.from(`${JSON.stringify({ format: FORMAT, ...manifest }, null, 2)}\n`)

export const encodeSummary = (summary: Summary): Buffer => Buffer.from(`${JSON.stringify(summary, null, 2)}\n`)
