import { readFile } from 'node:fs/promises'
import { encode } from 'blurhash'
import type { Metadata, Sharp } from 'sharp'
import { ApiError } from '../../core/errors.ts'
import { LIMITS } from '../../core/limits.ts'
import { createSemaphore } from '../../core/semaphore.ts'
import { isTooLong, loadSharp, type ImageType, type Picture } from '../../platform/storage/index.ts'
import { notSupported, unverified, wrongType } from './errors.ts'
import { decodeHeic, type Pixels } from './heic/decode.ts'
import { shrink, type Size } from './size.ts'

/** The limits of the Mastodon API. */
const GIF_LIMIT_PIXELS = 921_600
const STORED_PIXELS = 8_294_400
const PREVIEW_PIXELS = 230_400
/** All frames of an animation are processed as one tall picture; frames beyond this are dropped. */
const ANIMATION_PIXELS = LIMITS.media_attachments.image_matrix_limit
/** The limit of frames: reading and writing each takes time, however small it is. */
const MAX_FRAMES = 1000
const BLURHASH_SIDE = 32
const BLURHASH_COMPONENTS = 4

const MAX_AT_ONCE = 2
/** Each holds up to 16 MiB. */
const MAX_WAITING = 16
const TIMEOUT_SECONDS = 30

const semaphore = createSemaphore(MAX_AT_ONCE, MAX_WAITING)

/** A picture with its size. */
export interface SizedPicture extends Picture, Size {}

export interface Preview {
  readonly preview: SizedPicture
  readonly blurhash: string
}

export interface ConvertedPicture extends Preview {
  readonly original: SizedPicture
}

interface Source extends Size {
  /** The type it is written as: formats that few clients read become JPEG. */
  readonly type: ImageType
  readonly frames: number
  /** Encoded bytes, the path of a file, or pixels. */
  readonly from: Uint8Array | string | Pixels
}

interface Inspected extends Size {
  readonly frames: number
  /** Its metadata asks for a rotation or reflection; width and height are those after it. */
  readonly turned: boolean
  readonly format: string
  /** HEIC files contain HEVC, AVIF files AV1. */
  readonly compression: string | undefined
}

/**
 * Reads a picture's properties without decoding its pixels. `from` is its bytes or its path.
 * @throws ApiError `validation` when it has too many pixels
 */
export async function inspectPicture(from: Uint8Array | string): Promise<Inspected> {
  const sharp = await loadSharp()
  let metadata: Metadata
  try {
    metadata = await sharp(from, { limitInputPixels: false, failOn: 'error' }).metadata()
  } catch (error) {
    throw unverified(error)
  }
  const { compression } = metadata
  if (metadata.format === 'heif' && compression !== 'av1' && compression !== 'hevc') throw wrongType()
  const { width, height } = metadata.autoOrient
  const isGif = metadata.format === 'gif'
  const maxPixels = isGif ? GIF_LIMIT_PIXELS : LIMITS.media_attachments.image_matrix_limit
  if (width * height > maxPixels || isTooLong({ width, height }))
    throw notSupported(`${width}x${height} ${isGif ? 'GIF files' : 'images'}`)
  const turned = (metadata.orientation ?? 1) > 1
  return { width, height, frames: metadata.pages ?? 1, turned, format: metadata.format, compression }
}

async function readSource(from: Uint8Array | string): Promise<Source> {
  const { width, height, frames, turned, format, compression } = await inspectPicture(from)
  if (compression === 'hevc') return readHeic(from)
  // libvips turns still pictures only: an animation that has to be turned keeps its first frame.
  const animated = (format === 'gif' || format === 'webp') && !turned
  const maxFrames = Math.max(1, Math.min(MAX_FRAMES, Math.floor(ANIMATION_PIXELS / (width * height))))
  const type = format === 'gif' || format === 'webp' || format === 'png' ? (`image/${format}` as const) : 'image/jpeg'
  return { width, height, type, from, frames: animated ? Math.min(frames, maxFrames) : 1 }
}

/** The size in the file's header must have been checked. */
async function readHeic(from: Uint8Array | string): Promise<Source> {
  const bytes = typeof from === 'string' ? await readFile(from) : from
  const pixels = await decodeHeic(bytes, LIMITS.media_attachments.image_matrix_limit).catch((error: unknown) => {
    throw unverified(error)
  })
  return { width: pixels.width, height: pixels.height, type: 'image/jpeg', from: pixels, frames: 1 }
}

/** Re-encodes the picture without metadata (EXIF with places and times, comments, profiles). */
async function write(image: Sharp, type: ImageType, size: Size): Promise<SizedPicture> {
  const encoded = ((): Sharp => {
    switch (type) {
      case 'image/jpeg':
        return image.flatten({ background: '#ffffff' }).jpeg({ quality: 90 })
      case 'image/png':
        return image.png()
      case 'image/webp':
        return image.webp({ quality: 90 })
      case 'image/gif':
        return image.gif({ effort: 4 })
    }
  })()
  return { type, ...size, bytes: await encoded.toBuffer() }
}

async function open({ from, width, height }: Source, frames: number): Promise<Sharp> {
  const sharp = await loadSharp()
  const options = { limitInputPixels: ANIMATION_PIXELS, failOn: 'error' } as const
  const image =
    typeof from === 'object' && 'data' in from
      ? sharp(from.data, { ...options, raw: { width, height, channels: 4 } })
      : sharp(from, { ...options, pages: frames })
  return image.timeout({ seconds: TIMEOUT_SECONDS }).autoOrient()
}

async function resized(source: Source, frames: number, size: Size): Promise<Sharp> {
  const image = await open(source, frames)
  const same = size.width === source.width && size.height === source.height
  return same ? image : image.resize(size.width, size.height, { fit: 'fill' })
}

async function blurhashOf(picture: Picture): Promise<string> {
  const sharp = await loadSharp()
  const { data, info } = await sharp(picture.bytes)
    .resize(BLURHASH_SIDE, BLURHASH_SIDE, { fit: 'inside' })
    .flatten({ background: '#ffffff' })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return encode(new Uint8ClampedArray(data), info.width, info.height, BLURHASH_COMPONENTS, BLURHASH_COMPONENTS)
}

async function makePreviewOf(source: Source): Promise<Preview> {
  const size = shrink(source, PREVIEW_PIXELS)
  const type = source.type === 'image/gif' ? 'image/png' : source.type
  const preview = await write(await resized(source, 1, size), type, size)
  return { preview, blurhash: await blurhashOf(preview) }
}

async function reading<T>(from: Uint8Array | string, work: (source: Source) => Promise<T>): Promise<T> {
  return semaphore.run(async () => {
    const source = await readSource(from)
    try {
      return await work(source)
    } catch (error) {
      throw error instanceof ApiError ? error : unverified(error)
    }
  })
}

/**
 * The stored picture and its preview: upright, without metadata, in its own format unless few
 * clients read that.
 * @throws ApiError `validation` for too many pixels or an unreadable file; `unavailable` when too
 * many are waiting
 */
export const makePicture = (from: Uint8Array | string): Promise<ConvertedPicture> =>
  reading(from, async source => {
    const size = shrink(source, STORED_PIXELS)
    const original = await write(await resized(source, source.frames, size), source.type, size)
    const small = { ...size, type: source.type, frames: 1, from: original.bytes }
    return { original, ...(await makePreviewOf(small)) }
  })

/** Only the preview, from bytes or a file. Throws as `makePicture`. */
export const makePreview = (from: Uint8Array | string): Promise<Preview> => reading(from, makePreviewOf)
