import { randomFillSync } from 'node:crypto'
import { existsSync, rmSync, statfsSync } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { giveToOwner } from './lock.ts'

/*
 * A file without content of interest that takes space, to have some when the disk is full: then
 * PostgreSQL can neither start nor accept a connection (each may write a small file first), and
 * the command line could not remove what fills the disk. Whoever meets that removes the file; the
 * server makes it again when there is space.
 */

/** Two segments of PostgreSQL's log: enough to recover and to begin another. */
const RESERVE_BYTES = 32 * 1024 * 1024
/** The file is made only when at least this much stays free. */
const SPARE_BYTES = 4 * RESERVE_BYTES
const PIECE_BYTES = 1024 * 1024

/** The path of the file in a data folder. */
const reserveOf = (dataDir: string): string => join(dataDir, 'postgres.reserve')

/** Gives the reserved space back. @returns false when there was none */
export function releaseReserve(dataDir: string): boolean {
  const file = reserveOf(dataDir)
  if (!existsSync(file)) return false
  rmSync(file, { force: true })
  return true
}

/**
 * Makes the file when it is missing and there is space. Its content is random, since some file
 * systems store zeros in no space.
 */
export async function keepReserve(dataDir: string): Promise<void> {
  const file = reserveOf(dataDir)
  if (existsSync(file)) return
  const { bavail, bsize } = statfsSync(dataDir)
  if (bavail * bsize < RESERVE_BYTES + SPARE_BYTES) return
  const unfinished = `${file}.unfinished`
  try {
    const handle = await open(unfinished, 'w', 0o600)
    try {
      const piece = randomFillSync(Buffer.allocUnsafe(PIECE_BYTES))
      for (let written = 0; written < RESERVE_BYTES; written += PIECE_BYTES) await handle.write(piece)
    } finally {
      await handle.close()
    }
    giveToOwner(unfinished)
    await rename(unfinished, file)
  } catch (error) {
    await rm(unfinished, { force: true })
    throw error
  }
}

/** Less than a segment of PostgreSQL's log: what fails now fails for lack of space. */
const SHORT_BYTES = 4 * 1024 * 1024

/**
 * Whether a failure is for lack of space.
 * @param text PostgreSQL's own words; on a full disk its log lacks them
 */
export function isForSpace(dataDir: string, text: string): boolean {
  const { bavail, bsize } = statfsSync(dataDir)
  return bavail * bsize < SHORT_BYTES || /No space left on device|Disk quota exceeded/i.test(text)
}
