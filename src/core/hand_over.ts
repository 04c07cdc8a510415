import { lchown, mkdir, stat } from 'node:fs/promises'
import path from 'node:path'

/**
 * Changes the owner of files that root has created in the data folder to the folder's owner, as
 * whom the server runs: it could otherwise neither read nor remove them.
 */
export async function giveToOwner(dataDir: string, ...paths: readonly string[]): Promise<void> {
  if (process.getuid?.() !== 0) return
  const { uid, gid } = await stat(dataDir)
  if (uid === 0) return
  for (const one of paths) await lchown(one, uid, gid)
}

/**
 * Creates a folder in the data folder, with missing parents, owned by the data folder's owner.
 * @returns the first folder that was created, like `mkdir`
 */
export async function makeOwnedFolder(dataDir: string, folder: string, mode: number): Promise<string | undefined> {
  const first = await mkdir(folder, { recursive: true, mode })
  if (first === undefined) return undefined
  for (let current = folder; current.length >= first.length; current = path.dirname(current))
    await giveToOwner(dataDir, current)
  return first
}
