import { to } from 'pg-copy-streams'
import type { Client } from '../database/client.ts'
import type { Storage } from '../storage/index.ts'
import { BackupError } from './backup_error.ts'
import { END_OF_ARCHIVE, fileOf } from './archive.ts'
import {
  encodeManifest,
  encodeSummary,
  MANIFEST,
  SUMMARY,
  TABLES,
  type BackupTable,
  type Migrated,
} from './manifest.ts'
import { bucketFiles } from './bucket_files.ts'
import { storedFiles } from './stored_files.ts'
import { findTables, SCHEMAS } from './tables.ts'

/** The rows of a table are in files of about this size, because a header needs the size. */
const PORTION_BYTES = 4 * 1024 * 1024

const USED_SEQUENCES = `
  select format('%I.%I', schemaname, sequencename) as name, last_value::text as value from pg_sequences
  where schemaname = any ($1) and last_value is not null order by 1`

export interface BackupOptions {
  readonly version: string
  /** The folder whose `media` is included; undefined when files are in a bucket. */
  readonly dataDir: string | undefined
  /** The bucket whose files are included. */
  readonly bucket?: Storage | undefined
  /** Called with the number of rows or files written. */
  readonly count?: (written: number) => void
}

async function* rowsOf(client: Client, { name, columns }: BackupTable): AsyncGenerator<Buffer, number> {
  const stream = client.query(to(`copy (select ${columns.join(', ')} from ${name}) to stdout`))
  let pieces: Buffer[] = []
  let bytes = 0
  let batch = 0
  const take = function* (): Generator<Buffer> {
    batch += 1
    yield* fileOf(`${TABLES}${name}/${String(batch).padStart(8, '0')}`, Buffer.concat(pieces))
    pieces = []
    bytes = 0
  }
  for await (const piece of stream) {
    if (!(piece instanceof Buffer)) throw new Error('COPY sent text')
    pieces.push(piece)
    bytes += piece.length
    if (bytes >= PORTION_BYTES) yield* take()
  }
  if (bytes > 0) yield* take()
  return stream.rowCount
}

async function readMigrated(client: Client): Promise<Migrated[]> {
  const { rows: found } = await client.query<{ found: boolean }>(
    `select to_regclass('migrations') is not null as found`,
  )
  if (!found[0]?.found) throw new BackupError('The database is empty: there is nothing to back up')
  return (await client.query<Migrated>('select name, checksum from migrations order by name')).rows
}

/**
 * The bytes of a backup, before compression: the stored files, then the rows of all tables as of
 * one moment, then the files that came meanwhile. So each file that a row names is there, unless it
 * was removed.
 */
export async function* backupOf(
  client: Client,
  { version, dataDir, bucket, count = () => undefined }: BackupOptions,
): AsyncGenerator<Buffer, { rows: number; files: number }> {
  const startMs = Date.now()
  const migrations = await readMigrated(client)
  const tables = await findTables(client)
  const createdAt = new Date(startMs).toISOString()
  let files = 0
  const countFile = (): void => {
    files += 1
    count(1)
  }
  const filesSince = async function* (sinceMs: number): AsyncGenerator<Buffer> {
    if (dataDir !== undefined) yield* storedFiles(dataDir, sinceMs, countFile)
    if (bucket !== undefined) yield* bucketFiles(bucket, sinceMs, countFile)
  }
  const manifest = { version, createdAt, migrations, tables }
  yield* fileOf(MANIFEST, encodeManifest(manifest))
  yield* filesSince(0)
  await client.query('begin isolation level repeatable read, read only')
  const written: Record<string, number> = {}
  for (const table of tables) {
    const rows = yield* rowsOf(client, table)
    written[table.name] = rows
    count(rows)
  }
  const { rows: sequences } = await client.query<{ name: string; value: string }>(USED_SEQUENCES, [SCHEMAS])
  await client.query('commit')
  yield* filesSince(startMs)
  const values = Object.fromEntries(sequences.map(({ name, value }) => [name, value]))
  yield* fileOf(SUMMARY, encodeSummary({ rows: written, sequences: values, files }))
  yield END_OF_ARCHIVE
  return { rows: Object.values(written).reduce((sum, rows) => sum + rows, 0), files }
}
