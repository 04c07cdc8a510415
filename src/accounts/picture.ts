import type { Upload } from '../platform/http/index.ts'
import { job } from '../platform/jobs/index.ts'
import type { Services } from '../platform/services.ts'
import { extensionOf, makeKey, processAvatar, processHeader, typeOfKey, variantKey } from '../platform/storage/index.ts'
import type { StoredImage } from './profile.ts'

/**
 * Converts and stores an uploaded picture.
 * @param stored where its files are listed, for `storing`
 * @throws ApiError as `processAvatar` and `processHeader` do
 */
export async function storePicture(
  { storage }: Services,
  kind: 'avatar' | 'header',
  upload: Upload,
  stored: string[],
): Promise<StoredImage> {
  const { original, static: still } = await (kind === 'avatar' ? processAvatar : processHeader)(upload)
  const extension = extensionOf(original.type)
  if (!extension) throw new Error(`files of the type ${original.type} are not stored`)
  const key = makeKey(`${kind}s`, extension)
  stored.push(key)
  await storage.put(key, original.bytes, original.type)
  if (!still) return { key, static_key: key, type: original.type }
  const stillKey = variantKey(key, 'static', 'png')
  stored.push(stillKey)
  await storage.put(stillKey, still.bytes, still.type)
  return { key, static_key: stillKey, type: original.type }
}

export const keysOf = (image: StoredImage | null | undefined): string[] =>
  image ? [...new Set([image.key, image.static_key])] : []

function parseKeys(payload: unknown): { keys: string[] } {
  const given = typeof payload === 'object' && payload !== null && 'keys' in payload ? payload.keys : undefined
  if (!Array.isArray(given)) throw new Error('the payload has no keys')
  return { keys: given.filter((key): key is string => typeof key === 'string' && typeOfKey(key) !== undefined) }
}

/** Removes the files of unused pictures. */
export const removePictures = job<{ keys: string[] }, Services>(
  'accounts.remove_pictures',
  parseKeys,
  async ({ keys }, { storage }) => {
    for (const key of keys) await storage.remove(key)
  },
)
