import { randomBytes } from 'node:crypto'
import { chmod, copyFile, open as openFile, readdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { ApiError } from '../../core/errors.ts'
import { giveToOwner, makeOwnedFolder } from '../../core/hand_over.ts'
import { isPublicKey, typeOfKey } from './key.ts'
import type { ListedFile, Storage, StoredFile } from './storage.ts'

export interface FolderOptions {
  /** Files are stored in `media` in this folder. */
  dataDir: string
  /** The prefix of URLs, without a final slash. */
  mediaUrl: string
}

/** A storage whose files are all on this machine. */
export interface Folder extends Storage {
  open(key: string): Promise<StoredFile | undefined>
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')

/**
 * Makes a rename in a folder durable. File systems that do not support it need no sync, or cannot
 * provide it.
 */
async function syncFolder(folder: string): Promise<void> {
  const handle = await openFile(folder, 'r')
  try {
    await handle.sync().catch(() => undefined)
  } finally {
    await handle.close()
  }
}

/** The modes of files and folders. */
interface Modes {
  readonly file: number
  readonly folder: number
}

/** What follows the name of a file that nobody may read by its key. */
const WITHHELD = '.withheld'

/** The key of a file below the folder, also of a withheld one. */
export const keyOfFile = (name: string): string => (name.endsWith(WITHHELD) ? name.slice(0, -WITHHELD.length) : name)

/** The other name of the same file: as withheld, or as shown. */
export const otherNameOf = (name: string): string => (name.endsWith(WITHHELD) ? keyOfFile(name) : name + WITHHELD)

const FOR_US: Modes = { file: 0o600, folder: 0o700 }

/**
 * The mode of a folder determines that of the files in it, so that an operator can open it to a web
 * server that sends files directly.
 */
async function modesBelow(root: string): Promise<Modes> {
  const { mode } = await stat(root)
  return { file: FOR_US.file | (mode & 0o044), folder: FOR_US.folder | (mode & 0o055) }
}

/** Creates the folder of a file with the given mode, regardless of the umask. */
async function makeFolderOf(root: string, file: string, { folder: mode }: Modes): Promise<void> {
  const first = await makeOwnedFolder(path.dirname(root), path.dirname(file), mode)
  if (mode === FOR_US.folder || first === undefined) return
  for (
    let current = path.dirname(file);
    current.length >= first.length && current !== root;
    current = path.dirname(current)
  )
    await chmod(current, mode)
}

async function writeSynced(file: string, bytes: Uint8Array, mode: number): Promise<void> {
  const handle = await openFile(file, 'wx', FOR_US.file)
  try {
    if (mode !== FOR_US.file) await handle.chmod(mode)
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** Moves a file on the same file system; copies it from another. */
async function moveSynced(source: string, file: string, mode: number): Promise<void> {
  try {
    await rename(source, file)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error
    await copyFile(source, file)
  }
  const handle = await openFile(file, 'r+')
  try {
    await handle.chmod(mode)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/**
 * The files in a folder of the storage and below, sorted: a folder stands where the slash after its
 * name puts it. Skips files that are not stored files, and files that are removed meanwhile. A file
 * that is there in both forms is listed once.
 */
async function* filesBelow(root: string, prefix: string): AsyncGenerator<ListedFile> {
  const entries = await readdir(path.join(root, prefix), { withFileTypes: true }).catch((error: unknown) => {
    if (isMissing(error)) return []
    throw new ApiError('unavailable', { cause: error })
  })
  const names = entries.map(entry => (entry.isDirectory() ? `${entry.name}/` : entry.name)).toSorted()
  let listed: string | undefined
  for (const name of names) {
    const entry = prefix + name
    const key = keyOfFile(entry)
    if (name.endsWith('/')) yield* filesBelow(root, entry)
    else if (typeOfKey(key) !== undefined && key !== listed) {
      const found = await stat(path.join(root, entry)).catch(() => undefined)
      if (!found?.isFile()) continue
      listed = key
      yield { key, modifiedAt: found.mtime }
    }
  }
}

/** Stores files in a local folder, which is created by the first `put`. */
export function openFolder({ dataDir, mediaUrl }: FolderOptions): Folder {
  const root = path.join(dataDir, 'media')

  /** `write` creates the file under a temporary name; it is renamed when complete. */
  async function store(key: string, type: string, write: (part: string, mode: number) => Promise<void>): Promise<void> {
    if (typeOfKey(key) !== type) throw new Error(`the storage key "${key}" does not have the type ${type}`)
    const file = path.join(root, key)
    const part = `${file}.${randomBytes(6).toString('hex')}.part`
    try {
      await makeOwnedFolder(dataDir, root, FOR_US.folder)
      const modes = isPublicKey(key) ? await modesBelow(root) : FOR_US
      await makeFolderOf(root, file, modes)
      await write(part, modes.file)
      await giveToOwner(dataDir, part)
      await rename(part, file)
      await syncFolder(path.dirname(file))
    } catch (error) {
      await rm(part, { force: true }).catch(() => undefined)
      throw new ApiError('unavailable', { cause: error })
    }
  }

  async function open(key: string, suffix = ''): Promise<StoredFile | undefined> {
    const type = typeOfKey(key)
    if (type === undefined) return undefined
    const file = path.join(root, key) + suffix
    try {
      const found = await stat(file)
      return found.isFile() ? { path: file, sizeBytes: found.size, type, modifiedAt: found.mtime } : undefined
    } catch (error) {
      if (isMissing(error)) return undefined
      throw new ApiError('unavailable', { cause: error })
    }
  }

  const openWithheld = (key: string): Promise<StoredFile | undefined> => open(key, WITHHELD)
  const openAny = async (key: string): Promise<StoredFile | undefined> => (await open(key)) ?? openWithheld(key)

  async function withhold(key: string, withheld: boolean): Promise<void> {
    const found = await (withheld ? open(key) : openWithheld(key))
    if (!found) return
    const file = path.join(root, key)
    const mode = withheld ? FOR_US.file : (await modesBelow(root)).file
    try {
      await chmod(found.path, mode)
      await rename(found.path, withheld ? file + WITHHELD : file)
      await syncFolder(path.dirname(file))
    } catch (error) {
      if (!isMissing(error)) throw new ApiError('unavailable', { cause: error })
    }
  }

  return {
    origin: undefined,
    put: (key, bytes, type) => store(key, type, (part, mode) => writeSynced(part, bytes, mode)),
    putFile: (key, source, type) => store(key, type, (part, mode) => moveSynced(source, part, mode)),
    async remove(key) {
      if (typeOfKey(key) === undefined) throw new Error(`"${key}" is not a storage key`)
      const file = path.join(root, key)
      for (const one of [file, file + WITHHELD]) await rm(one, { force: true })
    },
    open: key => open(key),
    withhold,
    openWithheld,
    sizeOf: async key => (await openAny(key))?.sizeBytes,
    copyFor: async key => (await openAny(key))?.path,
    temporaryUrl: async () => undefined,
    list: () => filesBelow(root, ''),
    url: key => `${mediaUrl}/${key}`,
  }
}
