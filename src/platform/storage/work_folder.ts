import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { hostname } from 'node:os'
import path from 'node:path'
import type { Config } from '../../core/config.ts'
import { giveToOwner, makeOwnedFolder } from '../../core/hand_over.ts'

/** The settings that determine where files are. */
export interface Placed {
  readonly config: Pick<Config, 'dataDir'>
}

/** The folder for temporary files. */
export const workFolder = ({ config }: Placed): string => path.join(config.dataDir, 'tmp')

/** A folder's purpose, the host and process that created it, and a random part. */
const NAME = /^[a-z]+-(?<host>.*)\.(?<pid>[0-9]+)-[^-]+$/

/** Creates a folder for this process only. `kind` is a word that names its purpose. */
export async function makeFolder(services: Placed, kind: string): Promise<string> {
  const { dataDir } = services.config
  await makeOwnedFolder(dataDir, workFolder(services), 0o700)
  const folder = await mkdtemp(path.join(workFolder(services), `${kind}-${hostname()}.${process.pid}-`))
  await giveToOwner(dataDir, folder)
  return folder
}

/** Runs work with a folder of its own, which is removed afterwards. */
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
 * Removes the folders of ended processes of this machine. Call it before this process creates any:
 * in a restarted container it may have the same process id as the one before.
 */
export async function removeAbandonedFolders(services: Placed): Promise<void> {
  const folder = workFolder(services)
  for (const name of await readdir(folder).catch(() => [])) {
    const { host, pid } = NAME.exec(name)?.groups ?? {}
    if (host !== hostname() || isRunning(Number(pid))) continue
    await rm(path.join(folder, name), { recursive: true, force: true })
  }
}
