import type { Metadata, Sharp } from 'sharp'
import { ApiError } from '../../core/errors.ts'
import { createSemaphore } from '../../core/semaphore.ts'
import { isTooLong, loadSharp } from './sharp.ts'
import { sniffImage, type ImageType } from './sniff.ts'

export interface Picture {
  bytes: Buffer
  type: ImageType
}

/** An uploaded picture. */
export interface ImageFile {
  /** Its bytes, or the path of a file. */
  readonly content: Buffer | string
  readonly sizeBytes: number
  readonly head: Uint8Array
}

export interface ProcessedImage {
  original: Picture
  /** The first frame as PNG; for GIF only. */
  static?: Picture
}

const SIZE_LIMIT_BYTES = 8_388_608
const GIF_LIMIT_PIXELS = 921_600
const IMAGE_LIMIT_PIXELS = 33_177_600
const AVATAR_SIDE = 400
const HEADER_PIXELS = 1500 * 500
/** The maximum side length that all four formats support (WebP's). */
const MAX_SIDE_LENGTH = 16_383
/**
 * The maximum number of frames of an animation, most of a minute at 20 a second. Each takes time to
 * read and write, however small it is.
 */
const MAX_FRAMES = 1000

/**
 * The frames of an animation are processed as one tall picture, which may have as many pixels as a
 * still one; further frames are dropped. Measured with twice as many (72 frames of 1280x720, 7 MB):
 * 13 s and 220 MB for a header.
 */
const ANIMATION_LIMIT_PIXELS = IMAGE_LIMIT_PIXELS
const MAX_AT_ONCE = 2
/** Each takes up to 8 MiB. */
const MAX_WAITING = 32
const TIMEOUT_SECONDS = 20

const semaphore = createSemaphore(MAX_AT_ONCE, MAX_WAITING)

type Attribute = 'avatar' | 'header'

interface ImageError {
  /** Such as in `avatar_content_type`. */
  part: 'content_type' | 'file_size' | undefined
  code: 'ERR_INVALID' | 'ERR_LESS_THAN'
  description: string
}

/** The validation error of a rejected file, reported for the attribute and for its part. */
function refuse(attribute: Attribute, { part, code, description }: ImageError, cause?: unknown): ApiError {
  const label = attribute === 'avatar' ? 'Avatar' : 'Header'
  const detail = [{ error: code, description }]
  const whole = `${label} ${description}`
  return new ApiError('validation', {
    message: `Validation failed: ${part ? `${label} ${part.replace('_', ' ')} ${description}, ${whole}` : whole}`,
    body: { details: { ...(part ? { [`${attribute}_${part}`]: detail } : {}), [attribute]: detail } },
    cause,
  })
}

const INVALID: ImageError = { part: undefined, code: 'ERR_INVALID', description: 'is invalid' }
const WRONG_TYPE: ImageError = { part: 'content_type', code: 'ERR_INVALID', description: 'is invalid' }
const TOO_LARGE: ImageError = { part: 'file_size', code: 'ERR_LESS_THAN', description: 'must be less than 8 MB' }

interface Source {
  type: ImageType
  /** As displayed, after the orientation in its metadata is applied. */
  width: number
  height: number
  /** The number of frames to use; 1 for a still picture. */
  frames: number
  /** Opens it for one pass: with all used frames, or only the first. */
  open(frames: number): Sharp
}

/**
 * Reads a picture's metadata without decoding its pixels, and rejects pictures that are too large
 * to decode.
 */
async function inspect(attribute: Attribute, { content, sizeBytes, head }: ImageFile): Promise<Source> {
  if (sizeBytes >= SIZE_LIMIT_BYTES) throw refuse(attribute, TOO_LARGE)
  const type = sniffImage(head)
  if (!type) throw refuse(attribute, WRONG_TYPE)
  const sharp = await loadSharp()
  let metadata: Metadata
  try {
    metadata = await sharp(content, { limitInputPixels: false, failOn: 'error' }).metadata()
  } catch (error) {
    throw refuse(attribute, INVALID, error)
  }
  if (`image/${metadata.format}` !== type) throw refuse(attribute, INVALID)
  const { width, height } = metadata.autoOrient
  const isGif = type === 'image/gif'
  if (width * height > (isGif ? GIF_LIMIT_PIXELS : IMAGE_LIMIT_PIXELS) || isTooLong({ width, height })) {
    throw new ApiError('validation', {
      message: `${width}x${height} ${isGif ? 'GIF files' : 'images'} are not supported`,
    })
  }
  // Each frame of an avatar is enlarged if it is small.
  const framePixels = Math.max(width * height, attribute === 'avatar' ? AVATAR_SIDE ** 2 : 0)
  const maxFrames = Math.max(1, Math.min(MAX_FRAMES, Math.floor(ANIMATION_LIMIT_PIXELS / framePixels)))
  const frames = isGif ? Math.min(metadata.pages ?? 1, maxFrames) : 1
  return {
    type,
    width,
    height,
    frames,
    open: pages =>
      sharp(content, { pages, limitInputPixels: IMAGE_LIMIT_PIXELS, failOn: 'error' })
        .timeout({ seconds: TIMEOUT_SECONDS })
        .autoOrient(),
  }
}

/**
 * Encodes it in the same format; metadata (EXIF with places and times, comments, profiles) is not
 * copied.
 */
function encode(image: Sharp, type: ImageType): Promise<Buffer> {
  switch (type) {
    case 'image/jpeg':
      return image.jpeg({ quality: 90 }).toBuffer()
    case 'image/png':
      return image.png().toBuffer()
    case 'image/webp':
      return image.webp({ quality: 90 }).toBuffer()
    case 'image/gif':
      return image.gif({ effort: 4 }).toBuffer()
  }
}

async function processImage(
  attribute: Attribute,
  file: ImageFile,
  resize: (image: Sharp, source: Source) => Sharp,
): Promise<ProcessedImage> {
  return semaphore.run(async () => {
    const source = await inspect(attribute, file)
    const { type, frames, open } = source
    try {
      const original = { bytes: await encode(resize(open(frames), source), type), type }
      if (type !== 'image/gif') return { original }
      return { original, static: { bytes: await encode(resize(open(1), source), 'image/png'), type: 'image/png' } }
    } catch (error) {
      throw refuse(attribute, INVALID, error)
    }
  })
}

/** The size with the same proportions and at most as many pixels as a header may have. */
function headerSize({ width, height }: Source): { width: number; height: number } {
  const scale = Math.min(1, Math.sqrt(HEADER_PIXELS / (width * height)), MAX_SIDE_LENGTH / Math.max(width, height))
  return { width: Math.max(1, Math.floor(width * scale)), height: Math.max(1, Math.floor(height * scale)) }
}

/**
 * An avatar from an upload: its centre, 400x400, without metadata, in the same format.
 * @throws ApiError `validation` for another type, 8 MiB or more, too many pixels, or an unreadable
 * picture; `unavailable` when too many are waiting
 */
export const processAvatar = (file: ImageFile): Promise<ProcessedImage> =>
  processImage('avatar', file, image => image.resize(AVATAR_SIDE, AVATAR_SIDE, { fit: 'cover' }))

/**
 * A header from an upload: scaled down to at most 750,000 pixels, otherwise like `processAvatar`.
 */
export const processHeader = (file: ImageFile): Promise<ProcessedImage> =>
  processImage('header', file, (image, source) => {
    const { width, height } = headerSize(source)
    return image.resize(width, height, { fit: 'fill' })
  })
