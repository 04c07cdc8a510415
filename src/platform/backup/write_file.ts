import { randomInt } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { open, readdir, rename, rm } from 'node:fs/promises'
import path from 'node:path'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createGzip } from 'node:zlib'
import { withClient, type Client } from '../database/client.ts'
import type { Connection } from '../database/index.ts'
import { backupOf, type BackupOptions } from './write_backup.ts'

/** For the owner only: a backup has everybody's data and the server's secrets. */
const MODE = 0o600

const NAME = 'millrace backup'
/** The class of the advisory locks that runs hold while they write: "back" in ASCII. */
const LOCKS = 0x62_61_63_6b
/** A run's number is the key of its lock, and in the name of its unfinished file. */
const MAX_RUN = 1_000_000_000
const PART = /^(\d{1,9})\.part$/

export interface Written {
  readonly rows: number
  readonly files: number
}

export interface WriteOptions extends BackupOptions {
  readonly connection: Connection
  readonly signal?: AbortSignal
}

async function writeTo(client: Client, target: Writable, options: WriteOptions, end: boolean): Promise<Written> {
  const { signal } = options
  const written = { rows: 0, files: 0 }
  const entries = async function* (): AsyncGenerator<Buffer> {
    Object.assign(written, yield* backupOf(client, options))
  }
  const gzip = createGzip({ level: constants.Z_BEST_SPEED })
  await pipeline(Readable.from(entries()), gzip, target, { end, ...(signal && { signal }) })
  return written
}

/** Writes a backup, compressed, to a stream; it is ended unless `end` is false. */
export const writeBackup = (target: Writable, options: WriteOptions, end = true): Promise<Written> =>
  withClient(options.connection, NAME, client => writeTo(client, target, options, end))

/** Whether no other session holds the lock of a run; then this one does. */
async function takeLock(client: Client, run: number): Promise<boolean> {
  const taken = `select pg_try_advisory_lock(${LOCKS}, $1) as taken`
  return (await client.query<{ taken: boolean }>(taken, [run])).rows[0]?.taken === true
}

/** Removes what earlier runs for the same file have left, unless they are still writing. */
async function removeLeftParts(client: Client, file: string): Promise<void> {
  const start = `${path.basename(file)}.`
  for (const name of await readdir(path.dirname(file))) {
    const run = name.startsWith(start) ? PART.exec(name.slice(start.length))?.[1] : undefined
    if (run !== undefined && (await takeLock(client, Number(run))))
      await rm(path.join(path.dirname(file), name), { force: true })
  }
}

/**
 * Writes a file under a temporary name; it is renamed when it is complete and on the disk. Several
 * runs for one file do not disturb each other: the last one to end wins.
 */
export const writeBackupFile = (file: string, options: WriteOptions): Promise<Written & { bytes: number }> =>
  withClient(options.connection, NAME, async client => {
    await removeLeftParts(client, file)
    const run = randomInt(MAX_RUN)
    await takeLock(client, run)
    const part = `${file}.${run}.part`
    try {
      const written = await writeTo(client, createWriteStream(part, { mode: MODE }), options, true)
      const handle = await open(part, 'r+')
      try {
        await handle.sync()
        const { size } = await handle.stat()
        await rename(part, file)
        return { ...written, bytes: size }
      } finally {
        await handle.close()
      }
    } catch (error) {
      await rm(part, { force: true })
      throw error
    }
  })
