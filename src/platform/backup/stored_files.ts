import { open, opendir, stat } from 'node:fs/promises'
import path from 'node:path'
import { headerOf, paddingOf } from './archive.ts'
import { MEDIA } from './manifest.ts'

/** Clocks of file systems tick coarsely. */
const TICK_MS = 2_000

const isMissing = (error: unknown): boolean => error instanceof Error && 'code' in error && error.code === 'ENOENT'

async function* filesBelow(root: string): AsyncGenerator<string> {
  // No folder: nothing was uploaded yet.
  const folder = await opendir(root, { recursive: true }).catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw error
  })
  if (!folder) return
  for await (const entry of folder)
    if (entry.isFile() && !entry.name.endsWith('.part')) yield path.join(entry.parentPath, entry.name)
}

/** The entry of an archive for a file, under this name. */
export async function* entryOf(name: string, file: string): AsyncGenerator<Buffer> {
  const handle = await open(file, 'r')
  try {
    const { size, mtime } = await handle.stat()
    yield headerOf(name, size, mtime)
    let left = size
    for await (const piece of handle.createReadStream({ autoClose: false })) {
      if (!(piece instanceof Buffer)) throw new Error('the file was opened as text')
      left -= piece.length
      yield piece
    }
    if (left !== 0) throw new Error(`${file} changed while it was read`)
    yield paddingOf(size)
  } finally {
    await handle.close()
  }
}

/**
 * The entries of an archive for the stored files.
 * @param sinceMs only files that came into the folder at this time or later
 * @param count called after each file
 */
export async function* storedFiles(
  dataDir: string,
  sinceMs: number,
  count: (path: string) => void,
): AsyncGenerator<Buffer> {
  const root = path.join(dataDir, 'media')
  for await (const file of filesBelow(root)) {
    // A running server may remove a file that it no longer needs at any time.
    try {
      if (sinceMs > 0 && (await stat(file)).ctimeMs < sinceMs - TICK_MS) continue
      yield* entryOf(`${MEDIA}${path.relative(root, file).split(path.sep).join('/')}`, file)
      count(file)
    } catch (error) {
      if (!isMissing(error)) throw error
    }
  }
}
