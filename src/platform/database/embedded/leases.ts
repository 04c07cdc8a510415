import { randomUUID } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { giveToOwner, identify, isOwnerAlive, readNote, writeNote } from './lock.ts'

function makeFolder(folder: string): void {
  if (mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined) giveToOwner(folder)
}

/**
 * Records in `folder` that this process uses the cluster, and returns a function that removes the
 * record. Call it under the cluster's lock.
 */
export function takeLease(folder: string): () => void {
  makeFolder(folder)
  const note = join(folder, `${process.pid}.${randomUUID()}`)
  writeNote(note, identify())
  return () => rmSync(note, { force: true })
}

/**
 * Counts the leases of living processes and removes those of dead ones. Call it under the cluster's
 * lock.
 */
export function countLeases(folder: string): number {
  makeFolder(folder)
  let count = 0
  for (const name of readdirSync(folder)) {
    const note = join(folder, name)
    if (isOwnerAlive(readNote(note) ?? '')) count += 1
    else rmSync(note, { force: true })
  }
  return count
}
