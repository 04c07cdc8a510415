import { c, isConnectionLost, query, type Runner } from '../database/index.ts'
import { enqueue, job } from '../jobs/index.ts'
import type { Services } from '../services.ts'
import { extensionOf, makeKey, typeOfKey, type Picture, type Storage } from './index.ts'

const lock = query('platform/storage/lock_replacement', { kind: c.text, name: c.text }, { locks: c.integer })

/** Stores a picture under a new key. @throws ApiError `unavailable` when the disk is full */
export async function storePicture(
  storage: Storage,
  kind: 'media' | 'previews' | 'preview_cards',
  picture: Picture,
): Promise<string> {
  const extension = extensionOf(picture.type)
  if (!extension) throw new Error(`files of the type ${picture.type} are not stored`)
  const key = makeKey(kind, extension)
  await storage.put(key, picture.bytes, picture.type)
  return key
}

/**
 * Runs work that stores files; the files listed in `stored` are removed if it fails. When the
 * connection to the database was lost, its commit may have succeeded: the files stay, and are
 * orphans if it did not.
 */
export async function storing<T>(storage: Storage, work: (stored: string[]) => Promise<T>): Promise<T> {
  const stored: string[] = []
  try {
    return await work(stored)
  } catch (error) {
    if (!isConnectionLost(error)) for (const key of stored) await storage.remove(key).catch(() => undefined)
    throw error
  }
}

/**
 * Locks the files of a thing for the rest of a transaction that replaces them, before its other
 * statements. Otherwise two that replace the same files would each leave those of the other.
 */
export async function lockReplacement(
  transaction: Runner,
  kind: 'custom_emojis' | 'preview_cards' | 'site_pictures',
  name: string,
): Promise<void> {
  await transaction.run(lock, { kind, name })
}

function parseKeys(payload: unknown): { keys: string[] } {
  const keys = typeof payload === 'object' && payload !== null && 'keys' in payload ? payload.keys : undefined
  if (!Array.isArray(keys)) throw new Error('the payload has no keys')
  return { keys: keys.filter((key): key is string => typeof key === 'string' && typeOfKey(key) !== undefined) }
}

/** Removes unused files; enqueued with the change that makes them unused. */
export const removeFiles = job<{ keys: string[] }, Services>(
  'media.remove_files',
  parseKeys,
  async ({ keys }, { storage }) => {
    for (const key of keys) await storage.remove(key)
  },
)

/** Removes files after the commit that makes them unused. */
export async function removeLater(transaction: Runner, keys: readonly string[]): Promise<void> {
  if (keys.length > 0) await enqueue(transaction, removeFiles, { keys: [...keys] })
}
