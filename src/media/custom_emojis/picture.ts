import {
  extensionOf,
  isTooLong,
  loadSharp,
  makeKey,
  sniffImage,
  variantKey,
  type Storage,
} from '../../platform/storage/index.ts'

/** The value of `custom_emojis.image`. */
export interface EmojiImage {
  key: string
  static_key: string
  type: string
}

/** The size of a picture must be below it. */
export const EMOJI_LIMIT_BYTES = 262_144
const LIMIT_PIXELS = 4096 * 4096

/** A picture that cannot be an emoji; the message is for the operator. */
export class UnsuitablePicture extends Error {
  override readonly name = 'UnsuitablePicture'
  readonly code: 'too_large' | 'type' | 'unreadable'

  constructor(message: string, code: 'too_large' | 'type' | 'unreadable', options?: ErrorOptions) {
    super(message, options)
    this.code = code
  }
}

/** Whether a PNG has the animation chunk. */
const isAnimated = (bytes: Buffer): boolean => bytes.includes('acTL')

/**
 * Stores the picture of an emoji, and a still PNG of any other; adds the keys to `stored`.
 * @throws UnsuitablePicture
 */
export async function storeEmojiPicture(storage: Storage, bytes: Buffer, stored: string[]): Promise<EmojiImage> {
  if (bytes.length >= EMOJI_LIMIT_BYTES)
    throw new UnsuitablePicture('The picture must be smaller than 256 KiB', 'too_large')
  const type = sniffImage(bytes)
  const extension = type && extensionOf(type)
  if (!type || !extension) throw new UnsuitablePicture('The picture must be a PNG, GIF, WebP or JPEG file', 'type')
  const sharp = await loadSharp()
  let still: Buffer
  try {
    const { width, height } = await sharp(bytes, { limitInputPixels: LIMIT_PIXELS, failOn: 'error' }).metadata()
    if (isTooLong({ width, height })) throw new Error(`${width}x${height} is too long`)
    still = await sharp(bytes, { limitInputPixels: LIMIT_PIXELS, failOn: 'error' }).png().toBuffer()
  } catch (error) {
    throw new UnsuitablePicture('The picture cannot be read', 'unreadable', { cause: error })
  }
  const key = makeKey('emojis', extension)
  await storage.put(key, bytes, type)
  stored.push(key)
  if (type === 'image/png' && !isAnimated(bytes)) return { key, static_key: key, type }
  const stillKey = variantKey(key, 'static', 'png')
  await storage.put(stillKey, still, 'image/png')
  stored.push(stillKey)
  return { key, static_key: stillKey, type }
}
