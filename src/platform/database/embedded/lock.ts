import { chownSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { identifyProcess } from './process.ts'

const RETRY_MS = 25
/** A lock without a readable owner: its maker was killed between making and writing it, unless it is as young as this. */
const UNSIGNED_MS = 2_000
/** Longer than the guard is ever held by a process that lives. */
const GUARD_MS = 5_000

/** Gives what root has made to the owner of the folder that it is in, whose processes must be able to read it. */
export function giveToOwner(path: string): void {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = statSync(dirname(path))
  if (uid !== 0) chownSync(path, uid, gid)
}

function createExclusively(path: string, content: string): boolean {
  try {
    writeFileSync(path, content, { flag: 'wx', mode: 0o600 })
    giveToOwner(path)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw new Error(`cannot write in ${dirname(path)}: ${String(error)}`, { cause: error })
  }
}

function ageMs(path: string): number {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat === undefined ? 0 : Date.now() - stat.mtimeMs
}

function readOwner(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null // released meanwhile
  }
}

/** Whether the process that wrote this text (made by `sign`) still runs. */
export function isSignerAlive(signature: string): boolean {
  return identifyProcess(Number.parseInt(signature, 10)) === signature
}

/** What this process writes into files that say who they belong to. */
export function identify(): string {
  return identifyProcess(process.pid) ?? String(process.pid)
}

function isStale(path: string): boolean {
  const owner = readOwner(path)
  if (owner === null) return false
  return owner === '' ? ageMs(path) > UNSIGNED_MS : !isSignerAlive(owner)
}

/**
 * Removes the lock of a dead process. Two that find it stale at once must not both remove it: the second would remove the
 * lock that the first has made since. So they take turns by a guard, and look again under it. All of it is synchronous,
 * so that a process can hardly be killed inside; should it be, the guard is ignored after a while.
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
 * Runs `work` while no other process, nor another part of this one, holds the lock at `path`; waits as long as its owner
 * lives. The lock of a process that was killed is taken over.
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
