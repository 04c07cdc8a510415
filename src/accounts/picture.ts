import { ApiError } from '../core/errors.ts'
import type { Id } from '../core/id.ts'
import { createSemaphore, type Semaphore } from '../core/semaphore.ts'
import type { Upload } from '../platform/http/index.ts'
import { job } from '../platform/jobs/index.ts'
import { perServer, type Services } from '../platform/services.ts'
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

/** The pictures of one account that wait while another one of it is converted. */
const MAX_WAITING = 3

/** By account: a picture may take many seconds, and few are converted at a time. */
const conversions = perServer(() => new Map<Id, Semaphore>())

/**
 * As `storePicture` for a picture that an account has uploaded. One of each account is converted at
 * a time, so that others get their turn.
 * @throws ApiError tooManyRequests when too many of the account wait
 */
export async function storeOwnPicture(
  services: Services,
  account: Id,
  ...picture: [kind: 'avatar' | 'header', upload: Upload, stored: string[]]
): Promise<StoredImage> {
  const accounts = conversions(services)
  const own = accounts.get(account) ?? createSemaphore(1)
  if (own.waiting >= MAX_WAITING) throw new ApiError('tooManyRequests')
  accounts.set(account, own)
  try {
    return await own.run(() => storePicture(services, ...picture))
  } finally {
    if (own.running === 0) accounts.delete(account)
  }
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
