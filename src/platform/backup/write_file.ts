import { createWriteStream } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { Readable, type Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { constants, createGzip } from 'node:zlib'
import { withClient } from '../database/client.ts'
import type { Connection } from '../database/index.ts'
import { backupOf, type BackupOptions } from './write_backup.ts'

/** For the owner only: a backup has everybody's data and the server's secrets. */
const MODE = 0o600

export interface Written {
  readonly rows: number
  readonly files: number
}

export interface WriteOptions extends BackupOptions {
  readonly connection: Connection
  readonly signal?: AbortSignal
}

/** Writes a backup, compressed, to a stream; it is ended unless `end` is false. */
export async function writeBackup(
  target: Writable,
  { connection, signal, ...options }: WriteOptions,
  end = true,
): Promise<Written> {
  const written = { rows: 0, files: 0 }
  await withClient(connection, 'millrace backup', client => {
    const entries = async function* (): AsyncGenerator<Buffer> {
      Object.assign(written, yield* backupOf(client, options))
    }
    const gzip = createGzip({ level: constants.Z_BEST_SPEED })
    return pipeline(Readable.from(entries()), gzip, target, { end, ...(signal && { signal }) })
  })
  return written
}

/** Writes a file under a temporary name; it is renamed when it is complete and on the disk. */
export async function writeBackupFile(file: string, options: WriteOptions): Promise<Written & { bytes: number }> {
  const part = `${file}.part`
  try {
    const written = await writeBackup(createWriteStream(part, { mode: MODE }), options)
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
}
