import { validationError } from '../../core/errors.ts'
import type { Upload } from '../../platform/http/index.ts'
import type { Services } from '../../platform/services.ts'
import { coloursOf } from './colours.ts'
import { thumbnailRefused } from './errors.ts'
import { storePicture } from '../../platform/storage/files.ts'
import { makePreview } from './picture.ts'
import { detectType } from './detect_type.ts'
import { sizeMeta } from './size.ts'

/** A stored preview, and its metadata. */
export interface Thumbnail {
  readonly key: string
  readonly blurhash: string
  readonly sizeBytes: number
  readonly meta: Record<string, unknown>
}

/**
 * Stores an uploaded preview for audio or video.
 * @throws ApiError `validation` when it is not a picture, or the attachment is one
 */
export async function storeThumbnail(
  { storage }: Services,
  thumbnail: Upload,
  type: string,
  stored: string[],
): Promise<Thumbnail> {
  if (type === 'image') throw thumbnailRefused()
  if (detectType('Thumbnail', thumbnail).kind !== 'image')
    throw validationError('Thumbnail content type is invalid', 'Thumbnail is invalid')
  const { preview, blurhash } = await makePreview(thumbnail.content)
  const colours = type === 'audio' ? { colors: await coloursOf(preview) } : {}
  const key = await storePicture(storage, 'previews', preview)
  stored.push(key)
  return { key, blurhash, sizeBytes: preview.bytes.length, meta: { small: sizeMeta(preview), ...colours } }
}
