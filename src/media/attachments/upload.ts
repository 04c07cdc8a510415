import { rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { c, query, type Row, type Runner } from '../../platform/database/index.ts'
import { ApiError, validationError } from '../../core/errors.ts'
import { json, operation, param, type Upload } from '../../platform/http/index.ts'
import { LIMITS } from '../../core/limits.ts'
import { enqueue } from '../../platform/jobs/index.ts'
import type { Viewer } from '../../core/viewer.ts'
import type { Services } from '../../platform/services.ts'
import { inFolder, isTooLong, makeKey, SOURCES, type Demuxer, type Sniffed } from '../../platform/storage/index.ts'
import { type AttachmentRow, toAttachment } from './attachment.ts'
import { descriptionOf } from './description.ts'
import { notSupported, processingFailed, thumbnailRefused, unverified, wrongType } from './errors.ts'
import { storePicture, storing } from '../../platform/storage/files.ts'
import { parseFocus } from './focus.ts'
import { inspectPicture, makePicture } from './picture.ts'
import { probe, type Probed } from './probe.ts'
import { processAttachment, processMedia } from './process.ts'
import { detectType } from './detect_type.ts'
import { ATTACHMENT } from './row.ts'
import { findOwn } from './show.ts'
import { sizeMeta } from './size.ts'
import { storeThumbnail } from './thumbnail.ts'
import { findTools, type Tools } from './tools.ts'

const add = query(
  'media/attachments/add',
  {
    account: c.id,
    type: c.text,
    processing: c.text,
    file_key: c.nullable(c.text),
    preview_key: c.nullable(c.text),
    source_key: c.nullable(c.text),
    meta: c.json<Record<string, unknown>>(),
    description: c.nullable(c.text),
    blurhash: c.nullable(c.text),
    file_bytes: c.bigint,
    preview_bytes: c.bigint,
  },
  ATTACHMENT,
)

const { image_size_limit: IMAGE_BYTES, video_size_limit: VIDEO_BYTES } = LIMITS.media_attachments
const { video_matrix_limit: VIDEO_PIXELS, video_frame_rate_limit: FRAMES_PER_SECOND } = LIMITS.media_attachments
/**
 * Leaves room beyond a file and a thumbnail, so that a slightly too large file gets a clear message
 * instead of a 413.
 */
export const BODY_LIMIT_BYTES = VIDEO_BYTES + IMAGE_BYTES + 1024 * 1024
/** When the server stops while a client waits for a file, a job processes it after this time. */
const FALLBACK_DELAY_MS = 30 * 60 * 1000

/** The parameters that describe a file of any kind. */
export const DESCRIPTION_PARAMS = {
  thumbnail: param.upload({ optional: true, description: 'preview picture; for audio and video' }),
  description: param.string({
    optional: true,
    max: LIMITS.media_attachments.description_limit,
    description: 'a description for people who cannot see or hear the file',
  }),
  focus: param.string({ optional: true, description: 'x,y: the point that stays visible, from -1 to 1, y up' }),
}

const UPLOAD = { file: param.upload({ description: 'the file' }), ...DESCRIPTION_PARAMS }

interface Input {
  readonly file: Upload
  readonly thumbnail?: Upload | undefined
  readonly description?: string | undefined
  readonly focus?: string | undefined
}

interface Description {
  readonly description: string | null
  readonly meta: Record<string, unknown>
}

interface Uploader extends Services {
  readonly viewer: Viewer
}

async function addRow(runner: Runner, columns: Row<typeof add.parameters>): Promise<AttachmentRow> {
  const row = await runner.one(add, columns)
  if (!row) throw new ApiError('unavailable')
  return row
}

async function addPicture(
  { storage, database, viewer }: Uploader,
  file: Upload,
  described: Description,
): Promise<AttachmentRow> {
  const { original, preview, blurhash } = await makePicture(file.content)
  return storing(storage, async stored => {
    const fileKey = await storePicture(storage, 'media', original)
    stored.push(fileKey)
    const previewKey = await storePicture(storage, 'previews', preview)
    stored.push(previewKey)
    return addRow(database, {
      account: viewer.id,
      type: 'image',
      processing: 'done',
      file_key: fileKey,
      preview_key: previewKey,
      source_key: null,
      meta: { original: sizeMeta(original), small: sizeMeta(preview), ...described.meta },
      description: described.description,
      blurhash,
      file_bytes: String(original.bytes.length),
      preview_bytes: String(preview.bytes.length),
    })
  })
}

/** @throws ApiError `validation` when the file is not an accepted audio or video type */
function typeOf(sniffed: Sniffed, { video, audio }: Probed, claimed: string): 'audio' | 'video' | 'gifv' {
  if (sniffed.kind === 'audio' && video) throw wrongType()
  if (!video) {
    if (claimed.startsWith('video/') && sniffed.kind === 'recording')
      throw new ApiError('validation', { message: 'Video has no video stream' })
    if (audio === undefined) throw unverified()
    return 'audio'
  }
  if (video.width * video.height === 0) throw unverified()
  if (video.width * video.height > VIDEO_PIXELS || isTooLong(video))
    throw notSupported(`${video.width}x${video.height} videos`)
  if (video.framesPerSecond > FRAMES_PER_SECOND) throw notSupported(`${Math.round(video.framesPerSecond)}fps videos`)
  return audio === undefined ? 'gifv' : 'video'
}

interface AvUpload {
  readonly sniffed: Sniffed
  readonly demuxer: Demuxer
  readonly tools: Tools
  /** A job converts it from this time on. */
  readonly at: Date
}

/**
 * Writes an upload to a file and probes it with ffmpeg.
 * @throws ApiError `validation` when its type is not accepted
 */
async function probeUpload(
  folder: string,
  file: Upload,
  { sniffed, demuxer, tools }: AvUpload,
): Promise<{ uploaded: string; type: 'audio' | 'video' | 'gifv' }> {
  const uploaded = path.join(folder, 'upload')
  const { content } = file
  await (typeof content === 'string' ? rename(content, uploaded) : writeFile(uploaded, content)).catch(
    (error: unknown) => {
      throw new ApiError('unavailable', { cause: error })
    },
  )
  const probed = await probe(tools, uploaded, demuxer).catch((error: unknown) => {
    throw error instanceof ApiError ? error : unverified(error)
  })
  return { uploaded, type: sniffed.kind === 'image' ? 'gifv' : typeOf(sniffed, probed, file.type) }
}

/** Probes the file, stores it unchanged, and leaves the conversion to a job. */
async function addAvUpload(
  uploader: Uploader,
  { file, thumbnail }: Input,
  described: Description,
  upload: AvUpload,
): Promise<AttachmentRow> {
  const { storage, database, viewer } = uploader
  const store = async (folder: string, stored: string[]): Promise<AttachmentRow> => {
    const { uploaded, type } = await probeUpload(folder, file, upload)
    const source = makeKey(SOURCES, 'bin')
    await storage.putFile(source, uploaded, 'application/octet-stream')
    stored.push(source)
    const preview = thumbnail && (await storeThumbnail(uploader, thumbnail, type, stored))
    return database.transaction(async transaction => {
      const row = await addRow(transaction, {
        account: viewer.id,
        type,
        processing: 'queued',
        file_key: null,
        preview_key: preview?.key ?? null,
        source_key: source,
        meta: { ...preview?.meta, ...described.meta },
        description: described.description,
        blurhash: preview?.blurhash ?? null,
        file_bytes: '0', // until it is converted
        preview_bytes: String(preview?.sizeBytes ?? 0),
      })
      await enqueue(transaction, processMedia, { id: row.id, account: viewer.id }, { at: upload.at })
      return row
    })
  }
  return inFolder(uploader, folder => storing(storage, stored => store(folder, stored)))
}

async function receive(uploader: Uploader, params: Input, at: Date): Promise<AttachmentRow> {
  const focus = params.focus === undefined ? null : parseFocus(params.focus)
  const described = { description: descriptionOf(params.description), meta: focus ? { focus } : {} }
  const sniffed = detectType('File', params.file)
  if (sniffed.kind === 'image') {
    const moves = sniffed.type === 'image/gif' && (await inspectPicture(params.file.content)).frames > 1
    const tools = moves ? await findTools(uploader) : undefined
    if (tools) return addAvUpload(uploader, params, described, { sniffed, demuxer: 'gif', tools, at })
    if (params.thumbnail) throw thumbnailRefused()
    return addPicture(uploader, params.file, described)
  }
  const tools = await findTools(uploader)
  if (!tools) throw validationError('File is audio or video, which this server cannot process')
  return addAvUpload(uploader, params, described, { sniffed, demuxer: sniffed.demuxer, tools, at })
}

/**
 * Pictures are ready at once; audio, video and animated GIFs are converted later, see `showMedia`.
 */
export const uploadMedia = operation({
  method: 'POST',
  path: '/api/v2/media',
  auth: 'user',
  scopes: ['write:media'],
  bodyLimitBytes: BODY_LIMIT_BYTES,
  summary: 'Upload a file; large ones are processed in the background',
  params: UPLOAD,
  returns: 'MediaAttachment',
  statuses: [200, 202],
  async handle(params, context) {
    const row = await receive(context, params, new Date())
    return json(toAttachment(row, context.storage.url, context.config.publicUrl), row.processing === 'done' ? 200 : 202)
  },
})

/** The older version: responds when the file is ready. */
export const uploadMediaAndWait = operation({
  method: 'POST',
  path: '/api/v1/media',
  auth: 'user',
  scopes: ['write:media'],
  bodyLimitBytes: BODY_LIMIT_BYTES,
  summary: 'Upload a file and wait until it is processed',
  params: UPLOAD,
  returns: 'MediaAttachment',
  async handle(params, context) {
    const row = await receive(context, params, new Date(Date.now() + FALLBACK_DELAY_MS))
    if (row.processing === 'done') return toAttachment(row, context.storage.url, context.config.publicUrl)
    await processAttachment(context, { id: row.id, account: context.viewer.id })
    const ready = await findOwn(context, context.viewer.id, row.id)
    if (ready.processing !== 'done') throw processingFailed()
    return toAttachment(ready, context.storage.url, context.config.publicUrl)
  },
})
