import { open, stat } from 'node:fs/promises'
import { c, query } from '../../platform/database/index.ts'
import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { enqueue, idIn, job, memberOf } from '../../platform/jobs/index.ts'
import { perServer, type Services } from '../../platform/services.ts'
import { createSemaphore, type Semaphore } from '../../core/semaphore.ts'
import { inFolder, makeKey, sniffMedia, type Demuxer } from '../../platform/storage/index.ts'
import { coloursOf } from './colours.ts'
import { type Conversion, convertAudio, convertVideo, type Converted, isCutOff } from './convert.ts'
import { removeFiles, storePicture, storing } from '../../platform/storage/files.ts'
import { makePreview } from './picture.ts'
import { probe } from './probe.ts'
import { sizeMeta } from './size.ts'
import type { Thumbnail } from './thumbnail.ts'
import { shutdownSignal, findTools } from './tools.ts'

const claim = query(
  'media/attachments/claim',
  { id: c.id },
  { type: c.text, source_key: c.nullable(c.text), preview_key: c.nullable(c.text) },
)
const finish = query(
  'media/attachments/finish',
  {
    id: c.id,
    file_key: c.text,
    preview_key: c.nullable(c.text),
    blurhash: c.nullable(c.text),
    meta: c.json<Record<string, unknown>>(),
    file_bytes: c.bigint,
    preview_bytes: c.bigint,
  },
  { unused: c.texts },
)
const fail = query('media/attachments/fail', { id: c.id }, { keys: c.texts })

const MAX_AT_ONCE = 2
const MAX_WAITING = 8
const LOOK_AGAIN_MS = 2000
const HEAD_BYTES = 64

/** The conversions of this process: each takes about a core, and up to a quarter of an hour. */
const conversions = perServer(() => ({
  turns: createSemaphore(MAX_AT_ONCE, MAX_WAITING),
  /** By account: each has one file at a time converted, so that others get their turn. */
  accounts: new Map<Id, Semaphore>(),
}))

/** Runs a conversion when it is the turn of the account and of the file. */
async function inTurn(services: Services, account: Id | undefined, work: () => Promise<void>): Promise<void> {
  const { turns, accounts } = conversions(services)
  if (account === undefined) return turns.run(work)
  const own = accounts.get(account) ?? createSemaphore(1, MAX_WAITING)
  accounts.set(account, own)
  try {
    await own.run(() => turns.run(work))
  } finally {
    if (own.running === 0) accounts.delete(account)
  }
}

async function demuxerOf(file: string): Promise<Demuxer> {
  const handle = await open(file)
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    const sniffed = sniffMedia(buffer.subarray(0, bytesRead))
    if (sniffed?.type === 'image/gif') return 'gif'
    if (sniffed && sniffed.kind !== 'image') return sniffed.demuxer
    throw new Error('the upload is neither audio nor video')
  } finally {
    await handle.close()
  }
}

function metaOf(type: string, { probed }: Converted): Record<string, unknown> {
  const { durationSeconds, bitsPerSecond, video } = probed
  const length = {
    ...(durationSeconds !== undefined && { duration: durationSeconds }),
    ...(bitsPerSecond !== undefined && { bitrate: Math.round(bitsPerSecond) }),
  }
  if (type === 'audio') return { original: length }
  if (!video) throw new Error('the video has no video stream')
  return { original: { width: video.width, height: video.height, frame_rate: video.frameRate, ...length } }
}

/**
 * The stored preview of a converted file, with its metadata. Null when there is none, or the owner
 * uploaded one.
 */
async function storeStill(
  { storage }: Services,
  type: string,
  still: string | undefined,
  stored: string[],
): Promise<Thumbnail | null> {
  if (still === undefined) return null
  const converted = await makePreview(still).catch((error: unknown) => {
    // Music with an unreadable cover is accepted without it.
    if (type === 'audio' && !isTransient(error)) return null
    throw error
  })
  if (!converted) return null
  const { preview, blurhash } = converted
  const key = await storePicture(storage, 'previews', preview)
  stored.push(key)
  const colours = type === 'audio' ? { colors: await coloursOf(preview) } : {}
  return { key, blurhash, sizeBytes: preview.bytes.length, meta: { small: sizeMeta(preview), ...colours } }
}

async function convertAndStore(
  services: Services,
  id: Id,
  { type, hasPreview }: { type: string; hasPreview: boolean },
  conversion: Conversion,
): Promise<void> {
  const { storage, database } = services
  const converted = await (type === 'audio' ? convertAudio(conversion) : convertVideo(conversion))
  const { size } = await stat(converted.path)
  if (isCutOff(size)) throw new Error('the converted file is too large')
  await storing(storage, async stored => {
    const still = await storeStill(services, type, hasPreview ? undefined : converted.still, stored)
    const extension = type === 'audio' ? 'mp3' : 'mp4'
    const fileKey = makeKey('media', extension)
    await storage.putFile(fileKey, converted.path, type === 'audio' ? 'audio/mpeg' : 'video/mp4')
    stored.push(fileKey)
    await database.transaction(async transaction => {
      const finished = await transaction.one(finish, {
        id,
        file_key: fileKey,
        preview_key: still?.key ?? null,
        blurhash: still?.blurhash ?? null,
        meta: { ...metaOf(type, converted), ...still?.meta },
        file_bytes: String(size),
        preview_bytes: String(still?.sizeBytes ?? 0),
      })
      // It was deleted or processed by another run meanwhile: this run's files are not used.
      await enqueue(transaction, removeFiles, { keys: finished ? finished.unused : stored })
    })
  })
}

async function markFailed({ database }: Services, id: Id): Promise<void> {
  await database.transaction(async transaction => {
    const failed = await transaction.one(fail, { id })
    if (failed) await enqueue(transaction, removeFiles, { keys: failed.keys })
  })
}

/**
 * Whether a later attempt may succeed: the disk is full, the database is unavailable, or too much
 * is in progress.
 */
const isTransient = (error: unknown): boolean => error instanceof ApiError && error.status === 503

/** An attachment to convert. */
interface Processed {
  readonly id: Id
  /** Its owner; undefined in jobs of older versions. */
  readonly account?: Id | undefined
}

/**
 * Converts the upload of an attachment, unless that is done already. When ffmpeg fails the
 * attachment is marked as failed.
 * @throws transient errors: a full disk, a lost database connection, no ffmpeg, an abort
 */
export async function processAttachment(
  services: Services,
  { id, account }: Processed,
  run?: AbortSignal,
): Promise<void> {
  const signal = AbortSignal.any(run ? [run, shutdownSignal(services)] : [shutdownSignal(services)])
  await inTurn(services, account, async () => {
    try {
      const tools = await findTools(services)
      const row = await services.database.one(claim, { id })
      if (!row) return
      // It was there when the file was uploaded, and is not the file's fault.
      if (!tools) throw new ApiError('unavailable')
      await inFolder(services, async folder => {
        const source = row.source_key === null ? undefined : await services.storage.copyFor(row.source_key, folder)
        if (source === undefined) throw new Error('the uploaded file is missing')
        const demuxer = await demuxerOf(source)
        const probed = await probe(tools, source, demuxer, signal)
        const conversion = { tools, source, demuxer, probed, folder, signal }
        await convertAndStore(services, id, { type: row.type, hasPreview: row.preview_key !== null }, conversion)
      })
    } catch (error) {
      if (signal.aborted || isTransient(error)) throw error
      services.logger.warn({ err: error, attachment: id }, 'media could not be processed')
      await markFailed(services, id)
    }
  })
}

const readPayload = (payload: unknown): Processed => ({
  id: idIn(payload, 'id'),
  account: memberOf(payload, 'account') === undefined ? undefined : idIn(payload, 'account'),
})

/**
 * Converts audio, video and animated GIFs. When enough conversions are running, or one of the same
 * account, it is retried later, so that other jobs can run.
 */
export const processMedia = job<Processed, Services>(
  'media.process',
  readPayload,
  async ({ id, account }, services, { signal, lastAttempt }) => {
    const { turns, accounts } = conversions(services)
    if (turns.running >= MAX_AT_ONCE || (account !== undefined && accounts.has(account))) {
      await enqueue(services.database, processMedia, { id, account }, { at: new Date(Date.now() + LOOK_AGAIN_MS) })
      return
    }
    try {
      await processAttachment(services, { id, account }, signal)
    } catch (error) {
      if (lastAttempt) await markFailed(services, id)
      throw error
    }
  },
  { attempts: 6 },
)
