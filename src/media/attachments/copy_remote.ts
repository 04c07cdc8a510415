import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { LIMITS } from '../../core/limits.ts'
import { createSemaphore, type Semaphore } from '../../core/semaphore.ts'
import { c, query } from '../../platform/database/index.ts'
import { createCircuitBreaker, domainKey } from '../../platform/http_client/index.ts'
import { perServer, type Services } from '../../platform/services.ts'
import { storePicture, storing } from '../../platform/storage/files.ts'
import { makeKey, sniffMedia, type Sniffed } from '../../platform/storage/index.ts'
import { downloadFile } from '../index.ts'
import { makePicture } from './picture.ts'
import { sizeMeta } from './size.ts'

const keep = query(
  'media/attachments/keep_copy',
  {
    id: c.id,
    remote_url: c.text,
    file_key: c.text,
    preview_key: c.nullable(c.text),
    blurhash: c.nullable(c.text),
    meta: c.json<Record<string, unknown>>(),
    file_bytes: c.bigint,
    preview_bytes: c.bigint,
    replaced: c.nullable(c.text),
    type: c.text,
  },
  { id: c.id, events: c.events },
)

/** An attachment of another server. */
interface RemoteAttachment {
  readonly id: Id
  readonly type: string
  readonly remote_url: string
  /** The files of an older copy, which are removed when there is a new one. */
  readonly replaced?: readonly string[]
}

const TIMEOUT_MS = 30_000
/** A file is in memory while it is copied. */
const MAX_RECORDING_BYTES = 40 * 1024 * 1024
const MAX_AT_ONCE = 2
const MAX_WAITING = 16

/** Recordings that are stored unchanged, because all clients can play them. */
const RECORDINGS: Readonly<Record<string, 'mp4' | 'mp3'>> = { 'video/mp4': 'mp4', 'audio/mpeg': 'mp3' }

const kindOf = ({ type }: Sniffed): string => type.replace(/\/.*/, '')

const copying = perServer(() => ({
  turns: createSemaphore(MAX_AT_ONCE, MAX_WAITING),
  /** By domain: a server that is slow holds up no copies from others. */
  domains: new Map<string, Semaphore>(),
  circuitBreaker: createCircuitBreaker(),
  running: new Map<Id, Promise<boolean>>(),
}))

/** Runs a copy when it is the turn of the domain and of the file. @throws ApiError */
async function inTurn(services: Services, url: string, work: () => Promise<boolean>): Promise<boolean> {
  const { turns, domains, circuitBreaker } = copying(services)
  const { host } = new URL(url)
  const domain = domainKey(host)
  const own = domains.get(domain) ?? createSemaphore(1, MAX_WAITING)
  domains.set(domain, own)
  const attempt = async (): Promise<boolean> => {
    // Others may have waited in vain meanwhile.
    if (circuitBreaker.isOpen(host)) throw new ApiError('remoteFailed')
    try {
      const isCopied = await work()
      circuitBreaker.recordResponse(host)
      return isCopied
    } catch (error) {
      if (error instanceof ApiError && error.code === 'remoteFailed') circuitBreaker.recordFailure(host)
      throw error
    }
  }
  try {
    return await own.run(() => turns.run(attempt))
  } finally {
    if (own.running === 0) domains.delete(domain)
  }
}

/**
 * Stores a copy of a file of another server: a picture converted like an uploaded one, a recording
 * as it is. Requests for the same file share one copy. Of each domain one file at a time is copied,
 * and none for half a minute after three failures, unless `each` file is to be tried.
 * @returns false when it cannot be copied: it does not exist, is too large, or has an unsupported
 *   type
 * @throws ApiError remoteFailed when its server does not respond, unavailable when too many copies
 *   are waiting
 */
export async function copyRemote(
  services: Services,
  attachment: RemoteAttachment,
  { each = false }: { each?: boolean } = {},
): Promise<boolean> {
  const { running, turns } = copying(services)
  const known = running.get(attachment.id)
  if (known) return known
  const work = (): Promise<boolean> => copy(services, attachment)
  const run = (each ? turns.run(work) : inTurn(services, attachment.remote_url, work)).finally(() =>
    running.delete(attachment.id),
  )
  running.set(attachment.id, run)
  return run
}

async function copy(services: Services, attachment: RemoteAttachment): Promise<boolean> {
  const maxBytes = attachment.type === 'image' ? LIMITS.media_attachments.image_size_limit : MAX_RECORDING_BYTES
  const bytes = await downloadFile(services, attachment.remote_url, { maxBytes, timeoutMs: TIMEOUT_MS })
  const sniffed = bytes && sniffMedia(bytes)
  if (!sniffed) return false
  try {
    return await storing(services.storage, async stored => {
      const copy =
        sniffed.kind === 'image'
          ? await storeImage(services, bytes, stored)
          : await storeRecording(services, bytes, sniffed.type, stored)
      if (!copy) return false
      const { id, remote_url, replaced = [] } = attachment
      const [old = null] = replaced
      const kept = await services.database.one(keep, { id, remote_url, ...copy, replaced: old, type: kindOf(sniffed) })
      // It was removed or copied by another process meanwhile.
      for (const key of kept ? replaced : stored) await services.storage.remove(key)
      return true
    })
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return false
    throw error
  }
}

async function storeImage({ storage }: Services, bytes: Buffer, stored: string[]) {
  const { original, preview, blurhash } = await makePicture(bytes)
  const file_key = await storePicture(storage, 'media', original)
  stored.push(file_key)
  const preview_key = await storePicture(storage, 'previews', preview)
  stored.push(preview_key)
  return {
    file_key,
    preview_key,
    blurhash,
    meta: { original: sizeMeta(original), small: sizeMeta(preview) },
    file_bytes: String(original.bytes.length),
    preview_bytes: String(preview.bytes.length),
  }
}

async function storeRecording({ storage }: Services, bytes: Buffer, type: string, stored: string[]) {
  const extension = RECORDINGS[type]
  if (extension === undefined) return undefined
  const file_key = makeKey('media', extension)
  await storage.put(file_key, bytes, type)
  stored.push(file_key)
  return {
    file_key,
    preview_key: null,
    blurhash: null,
    meta: {},
    file_bytes: String(bytes.length),
    preview_bytes: '0',
  }
}
