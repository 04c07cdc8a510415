import { randomBytes } from 'node:crypto'
import { copyFile, mkdir, open as openFile, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { Failure } from '../failure.ts'
import { typeOfKey } from './key.ts'
import type { Storage, StoredFile } from './storage.ts'

export interface FolderOptions {
  /** Files go to `media` in this folder. */
  dataDir: string
  /** What URLs begin with, without a slash at the end. */
  mediaUrl: string
}

/** All that is stored is on this machine. */
export interface Folder extends Storage {
  open(key: string): Promise<StoredFile | undefined>
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')

/** Makes what was renamed in a folder outlast a power cut. Not every file system knows how to: then it is not needed or cannot be had. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await openFile(folder, 'r')
  try {
    await handle.sync().catch(() => undefined)
  } finally {
    await handle.close()
  }
}

async function writeSynced(file: string, bytes: Uint8Array): Promise<void> {
  const handle = await openFile(file, 'wx', 0o644)
  try {
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** A file on the same file system is moved; one on another cannot be, and is copied. */
async function moveSynced(source: string, file: string): Promise<void> {
  try {
    await rename(source, file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error
    await copyFile(source, file)
  }
  const handle = await openFile(file, 'r+')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Keeps files in a folder of this machine. Nothing is made before the first `put`. */
export function openFolder({ dataDir, mediaUrl }: FolderOptions): Folder {
  const root = path.join(dataDir, 'media')

  /** `write` makes the file under the name that it is given; it gets its own name when it is whole. */
  async function store(key: string, type: string, write: (part: string) => Promise<void>): Promise<void> {
    if (typeOfKey(key) !== type) throw new Error(`"${key}" is no key for ${type}`)
    const file = path.join(root, key)
    const part = `${file}.${randomBytes(6).toString('hex')}.part`
    try {
      await mkdir(path.dirname(file), { recursive: true })
      await write(part)
      await rename(part, file)
      await syncFolder(path.dirname(file))
    } catch (error) {
      await rm(part, { force: true }).catch(() => undefined)
      throw new Failure('unavailable', { cause: error })
    }
  }

  async function open(key: string): Promise<StoredFile | undefined> {
    const type = typeOfKey(key)
    if (type === undefined) return undefined
    const file = path.join(root, key)
    try {
      const found = await stat(file)
      return found.isFile() ? { path: file, sizeBytes: found.size, type, modifiedAt: found.mtime } : undefined
    } catch (error) {
      if (isMissing(error)) return undefined
      throw new Failure('unavailable', { cause: error })
    }
  }

  return {
    origin: undefined,
    put: (key, bytes, type) => store(key, type, part => writeSynced(part, bytes)),
    putFile: (key, source, type) => store(key, type, part => moveSynced(source, part)),
    async remove(key) {
      if (typeOfKey(key) === undefined) throw new Error(`"${key}" is no key`)
      await rm(path.join(root, key), { force: true })
    },
    open,
    sizeOf: async key => (await open(key))?.sizeBytes,
    copyFor: async key => (await open(key))?.path,
    lend: async () => undefined,
    url: key => `${mediaUrl}/${key}`,
  }
}
