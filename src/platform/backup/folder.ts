import { readdirSync, statSync } from 'node:fs'
import { mkdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'

const NAME = /^millrace-\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ\.tar\.gz(?<unfinished>(?<run>\.\d+)?\.part)?$/
/** A run that has written nothing for so long has ended. */
const ENDED_MS = 24 * 60 * 60 * 1000

/** The file of a scheduled backup in its folder, which is created if need be. */
export async function scheduledFile(folder: string, time: Date): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return path.join(folder, `millrace-${time.toISOString().slice(0, 19).replaceAll(':', '-')}Z.tar.gz`)
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter(name => NAME.test(name))
      .toSorted()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

const isFinished = (name: string): boolean => NAME.exec(name)?.groups?.['unfinished'] === undefined

/** Whether another run may still be writing this file. */
async function mayGrow(folder: string, name: string): Promise<boolean> {
  if (NAME.exec(name)?.groups?.['run'] === undefined) return false
  const found = await stat(path.join(folder, name)).catch(() => undefined)
  return found !== undefined && Date.now() - found.mtimeMs < ENDED_MS
}

/**
 * Removes all but the newest scheduled backups, and the remains of those that were interrupted a
 * day ago. Other files in the folder stay.
 */
export async function removeOldBackups(folder: string, keep: number): Promise<string[]> {
  const names = namesIn(folder)
  const kept = new Set(names.filter(isFinished).slice(-keep))
  const removed: string[] = []
  for (const name of names) {
    if (kept.has(name) || (await mayGrow(folder, name))) continue
    await rm(path.join(folder, name), { force: true })
    removed.push(name)
  }
  return removed
}

/**
 * When the newest scheduled backup was complete, and its size; undefined when there is none, or it
 * cannot be read.
 */
export function newestBackup(folder: string): { readonly madeAt: Date; readonly sizeBytes: number } | undefined {
  try {
    const newest = namesIn(folder).findLast(isFinished)
    if (newest === undefined) return undefined
    const { mtime, size } = statSync(path.join(folder, newest))
    return { madeAt: mtime, sizeBytes: size }
  } catch {
    return undefined
  }
}
