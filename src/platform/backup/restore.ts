import { createWriteStream } from 'node:fs'
import { mkdtemp, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { giveToOwner, makeOwnedFolder } from '../../core/hand_over.ts'
import { createLogger } from '../../core/logger.ts'
import { withClient, type Client } from '../database/client.ts'
import type { Connection } from '../database/index.ts'
import { migrate } from '../database/migrate.ts'
import { migrateJobs } from '../jobs/index.ts'
import { keyOfFile, otherNameOf, typeOfKey, type Storage } from '../storage/index.ts'
import { BackupError } from './backup_error.ts'
import { contentOf, filesOf, type ArchiveFile } from './archive.ts'
import { createRowLoader, setSequences, withoutChecks, type RowLoader } from './load_rows.ts'
import {
  MANIFEST,
  MEDIA,
  parseManifest,
  parseSummary,
  SUMMARY,
  TABLES,
  type BackupTable,
  type Manifest,
  type Summary,
} from './manifest.ts'
import { findTables, SCHEMAS } from './tables.ts'

const NAME = 'millrace restore'
const QUIET = createLogger({ logLevel: 'warn' })

export interface RestoreOptions {
  readonly connection: Connection
  /** The folder in whose `media` the files are restored. */
  readonly dataDir: string
  /** The bucket to which they are restored instead. */
  readonly bucket?: Storage | undefined
  /** Called with the number of rows or files of each step. */
  readonly count?: (restored: number) => void
}

export interface RestoredBackup {
  readonly rows: number
  readonly files: number
  /** Files that were not stored in the bucket, because they are no uploads. */
  readonly skipped: number
}

/**
 * Empties a database that holds no accounts, so that it can take the schema of the backup.
 * @throws BackupError when there are accounts, or tables of another application
 */
async function emptyDatabase(client: Client): Promise<void> {
  const { rows } = await client.query<{ used: boolean }>(`select to_regclass('accounts') is not null as used`)
  if (rows[0]?.used) {
    const { rows: accounts } = await client.query('select from accounts limit 1')
    if (accounts.length > 0) throw new BackupError('The database holds accounts: restore into an empty one')
  }
  const { rows: tables } = await client.query<{ is_ours: boolean }>(
    `select to_regclass('public.migrations') is not null and to_regclass('public.functions') is not null as is_ours
     from pg_tables where schemaname = 'public' limit 1`,
  )
  const [found] = tables
  if (found && !found.is_ours)
    throw new BackupError('The database holds tables of another application: restore into an empty one')
  if (found)
    await client.query(
      `${SCHEMAS.map(name => `drop schema if exists ${name} cascade`).join('; ')}; create schema public`,
    )
}

const isSafe = (key: string): boolean =>
  path.posix.normalize(key) === key && !key.startsWith('..') && !path.isAbsolute(key)

/** A bucket withholds no files: its policy says who may read them. */
async function storeInBucket(bucket: Storage, name: string, { content }: ArchiveFile): Promise<'restored' | 'skipped'> {
  const key = keyOfFile(name)
  const type = typeOfKey(key)
  if (type === undefined) return 'skipped'
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-restore-'))
  try {
    const copy = path.join(folder, path.posix.basename(key))
    await pipeline(Readable.from(content), createWriteStream(copy, { mode: 0o600 }))
    await bucket.putFile(key, copy, type)
    return 'restored'
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function restoreFile(
  archived: ArchiveFile,
  { dataDir, bucket }: RestoreOptions,
): Promise<'restored' | 'skipped'> {
  const { path: name, content } = archived
  const key = name.slice(MEDIA.length)
  if (!isSafe(key)) throw new BackupError(`The backup has a file with the path ${name}`)
  if (bucket !== undefined) return storeInBucket(bucket, key, archived)
  const file = path.join(dataDir, 'media', key)
  await makeOwnedFolder(dataDir, path.dirname(file), 0o700)
  const part = `${file}.part`
  try {
    await pipeline(Readable.from(content), createWriteStream(part, { mode: 0o600 }))
    await giveToOwner(dataDir, part)
    await rename(part, file)
    // A file that was withheld, or shown, during the backup is in it twice, last as it was then.
    await rm(otherNameOf(file), { force: true })
    return 'restored'
  } catch (error) {
    await rm(part, { force: true })
    throw error
  }
}

function tableOf({ path: name }: ArchiveFile, tables: ReadonlyMap<string, BackupTable>): BackupTable {
  const table = tables.get(name.slice(TABLES.length).split('/')[0] ?? '')
  if (!table) throw new BackupError(`The backup has rows of an unknown table: ${name}`)
  return table
}

/** The tables of the backup by the names in it, as this database has them. */
async function tablesIn(client: Client, { tables }: Manifest): Promise<ReadonlyMap<string, BackupTable>> {
  const known = new Map((await findTables(client)).map(table => [table.name, new Set(table.columns)]))
  for (const { name, columns } of tables) {
    const unknown = columns.filter(column => !known.get(name)?.has(column))
    if (!known.has(name) || unknown.length > 0)
      throw new BackupError(`The backup has a table that this release does not: ${name} ${unknown.join(', ')}`)
  }
  return new Map(tables.map(table => [table.name, table]))
}

/** Unlocks jobs that were locked by workers of the backed-up server. */
const UNLOCK_JOBS = `
  update graphile_worker._private_jobs set locked_at = null, locked_by = null where locked_at is not null;
  update graphile_worker._private_job_queues set locked_at = null, locked_by = null where locked_at is not null`

interface Contents {
  readonly files: number
  /** Files for a bucket that are no uploads. */
  readonly skipped: number
  /** Undefined when it is missing. */
  readonly summary: Summary | undefined
}

/** Restores files and rows until the summary comes. */
async function restoreContents(
  files: AsyncIterable<ArchiveFile>,
  tables: ReadonlyMap<string, BackupTable>,
  loader: RowLoader,
  options: RestoreOptions,
): Promise<Contents> {
  const { count = () => undefined } = options
  const outcomes = { restored: 0, skipped: 0 }
  let summary: Summary | undefined
  for await (const file of files) {
    if (file.path === SUMMARY) summary = parseSummary(await contentOf(file))
    else if (file.path.startsWith(MEDIA)) outcomes[await restoreFile(file, options)] += 1
    else if (file.path.startsWith(TABLES)) await loader.add(tableOf(file, tables), file.content)
    else throw new BackupError(`The backup has an unknown file: ${file.path}`)
    count(1)
  }
  return { files: outcomes.restored, skipped: outcomes.skipped, summary }
}

function compare(summary: Summary | undefined, loaded: ReadonlyMap<string, number>, files: number): void {
  if (!summary) throw new BackupError('The backup is not whole: its last part is missing')
  for (const [table, rows] of Object.entries(summary.rows))
    if ((loaded.get(table) ?? 0) !== rows)
      throw new BackupError(`The backup is not whole: ${loaded.get(table) ?? 0} of ${rows} rows of ${table}`)
  if (files < summary.files) throw new BackupError(`The backup is not whole: ${files} of ${summary.files} files`)
}

async function load(
  client: Client,
  files: AsyncIterable<ArchiveFile>,
  manifest: Manifest,
  options: RestoreOptions,
): Promise<RestoredBackup> {
  const tables = await tablesIn(client, manifest)
  const result = { rows: 0, files: 0, skipped: 0 }
  await withoutChecks(client, async () => {
    // Migrations add rows, such as the roles that every server begins with.
    await client.query(`truncate ${[...tables.keys()].join(', ')}`)
    const loader = createRowLoader(client)
    const contents = await restoreContents(files, tables, loader, options)
    const { summary } = contents
    const loaded = await loader.end()
    compare(summary, loaded, contents.files + contents.skipped)
    await setSequences(client, summary?.sequences ?? {})
    await client.query(UNLOCK_JOBS)
    result.files = contents.files
    result.skipped = contents.skipped
    for (const rows of loaded.values()) result.rows += rows
  })
  return result
}

/**
 * Restores a backup into an empty database and the data folder. Either all rows are restored or
 * none; a database of an older release is then migrated.
 * @throws BackupError when it is damaged, of a newer release, or the database holds accounts
 */
export async function restore(packed: Readable, options: RestoreOptions): Promise<RestoredBackup> {
  const { connection } = options
  const files = filesOf(packed)
  const first = await files.next()
  if (first.done === true || first.value.path !== MANIFEST)
    throw new BackupError('The file is not a backup, or it is damaged')
  const manifest = parseManifest(await contentOf(first.value))
  await withClient(connection, NAME, emptyDatabase)
  await migrateJobs(connection, QUIET)
  await migrate(connection, () => undefined, { only: manifest.migrations })
  const result = await withClient(connection, NAME, client => load(client, files, manifest, options))
  await migrate(connection, () => undefined)
  return result
}
