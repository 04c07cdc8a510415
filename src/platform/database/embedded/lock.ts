import {
  lchownSync,
  lstatSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { identifyProcess } from './process.ts'

const RETRY_MS = 25
/**
 * A lock without a readable owner that is older than this: its maker was killed between creating
 * and writing it.
 */
const UNIDENTIFIED_MS = 2_000
/** Longer than a living process ever holds the guard. */
const GUARD_MS = 5_000

/**
 * Gives a file that root has made to the owner of its folder, whose processes must be able to read
 * it.
 */
export function giveToOwner(path: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(dirname(path))
  if (uid !== 0) lchownSync(path, uid, gid)
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined)

const isFull = (error: unknown): boolean => codeOf(error) === 'ENOSPC' || codeOf(error) === 'EDQUOT'

/**
 * Creates a note with a text. On a full disk it is a symbolic link to the text, which needs no
 * block of its own: the command line must start then, to remove what fills the disk.
 * @throws Error with the code EEXIST when it exists
 */
export function writeNote(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!isFull(error)) throw error
    // It was created, but not written.
    rmSync(path, { force: true })
    symlinkSync(text, path)
  }
  giveToOwner(path)
}

/** The text of a note, or null when there is none. */
export function readNote(path: string): string | null {
  try {
    return lstatSync(path).isSymbolicLink() ? readlinkSync(path) : readFileSync(path, 'utf8')
  } catch {
    return null // released meanwhile
  }
}

function createExclusively(path: string, content: string): boolean {
  try {
    writeNote(path, content)
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false
    throw new Error(`cannot write in ${dirname(path)}: ${String(error)}`, { cause: error })
  }
}

/** Positive also for a file of the future, which was made before the clock was set back. */
function ageMs(path: string): number {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  return stat === undefined ? 0 : Math.abs(Date.now() - stat.mtimeMs)
}

/** Whether the process that wrote this text (made by `identify`) still runs. */
export function isOwnerAlive(signature: string): boolean {
  return identifyProcess(Number.parseInt(signature, 10)) === signature
}

/** The text by which this process marks files as its own. */
export function identify(): string {
  return identifyProcess(process.pid) ?? String(process.pid)
}

function isStale(path: string): boolean {
  const owner = readNote(path)
  if (owner === null) return false
  return owner === '' ? ageMs(path) > UNIDENTIFIED_MS : !isOwnerAlive(owner)
}

/**
 * Removes the lock of a dead process. When two processes find it stale at once, only one may remove
 * it: the second would remove the lock that the first has created since. A guard file serialises
 * them, and the lock is checked again under it. All of this is synchronous, so that a process is
 * hardly ever killed in between; if one is, the guard is ignored after a while.
 */
function removeStale(path: string): void {
  const guard = `${path}.guard`
  if (!createExclusively(guard, '')) {
    if (ageMs(guard) > GUARD_MS) rmSync(guard, { force: true })
    return
  }
  try {
    if (isStale(path)) rmSync(path, { force: true })
  } finally {
    rmSync(guard, { force: true })
  }
}

/**
 * Runs `work` while no other process, nor another part of this one, holds the lock at `path`; waits
 * as long as its owner lives. The lock of a killed process is taken over.
 */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  while (!createExclusively(path, identify())) {
    if (isStale(path)) removeStale(path)
    else await delay(RETRY_MS)
  }
  try {
    return await work()
  } finally {
    rmSync(path, { force: true })
  }
}
