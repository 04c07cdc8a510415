import { lchown, mkdir, stat } from 'node:fs/promises'
import path from 'node:path'

/**
 * Gives what root has made in the data folder to the folder's owner, whom the server runs as: a
 * command of root's would otherwise leave files that the server can neither read nor remove.
 */
export async function handOver(dataDir: string, ...made: readonly string[]): Promise<void> {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = await stat(dataDir)
  if (uid === 0) return
  for (const one of made) await lchown(one, uid, gid)
}

/**
 * Makes a folder in the data folder, and those above it that are missing, for the folder's owner.
 * @returns the first folder that it made, as `mkdir` does
 */
export async function makeOwnedFolder(dataDir: string, folder: string, mode: number): Promise<string | undefined> {
  const first = await mkdir(folder, { recursive: true, mode })
  if (first === undefined) return undefined
  for (let made = folder; made.length >= first.length; made = path.dirname(made)) await handOver(dataDir, made)
  return first
}
