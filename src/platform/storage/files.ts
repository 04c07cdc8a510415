import { job } from '../jobs/index.ts'
import type { Services } from '../services.ts'
import { extensionOf, makeKey, typeOfKey, type Picture, type Storage } from './index.ts'

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

/** Runs work that stores files; the files listed in `stored` are removed if it fails. */
export async function storing<T>(storage: Storage, work: (stored: string[]) => Promise<T>): Promise<T> {
  const stored: string[] = []
  try {
    return await work(stored)
  } catch (error) {
    for (const key of stored) await storage.remove(key).catch(() => undefined)
    throw error
  }
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
