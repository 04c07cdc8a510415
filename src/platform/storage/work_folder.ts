import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import path from 'node:path'
import type { Config } from '../../core/config.ts'

/** What tells where files are. */
export interface Placed {
  readonly config: Pick<Config, 'dataDir'>
}

/** The folder for files that are only worked on. */
export const workFolder = ({ config }: Placed): string => path.join(config.dataDir, 'tmp')

/** What a folder is for, the machine and the process that made it, and what makes its name its own. */
const NAME = /^[a-z]+-(?<host>.*)\.(?<pid>[0-9]+)-[^-]+$/

/** Makes a folder that only this process uses. `kind` is a word that tells people what it is for. */
export async function makeFolder(services: Placed, kind: string): Promise<string> {
  await mkdir(workFolder(services), { recursive: true, mode: 0o700 })
  return mkdtemp(path.join(workFolder(services), `${kind}-${hostname()}.${process.pid}-`))
}

/** Runs work that needs a folder of its own; afterwards that is gone. */
export async function inFolder<T>(services: Placed, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await makeFolder(services, 'media')
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function isRunning(pid: number): boolean {
  if (pid === process.pid) return false
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH')
  }
}

/**
 * Removes the folders of processes of this machine that ended without removing them. To be called before this process makes any:
 * in a container that is started again, it may have the number of the one before.
 */
export async function removeAbandonedFolders(services: Placed): Promise<void> {
  const folder = workFolder(services)
  for (const name of await readdir(folder).catch(() => [])) {
    const { host, pid } = NAME.exec(name)?.groups ?? {}
    if (host !== hostname() || isRunning(Number(pid))) continue
    await rm(path.join(folder, name), { recursive: true, force: true })
  }
}
