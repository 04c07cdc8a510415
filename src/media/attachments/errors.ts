import { ApiError, validationError } from '../../core/errors.ts'
import { LIMITS } from '../../core/limits.ts'

const MEGABYTE = 1024 * 1024

export const wrongType = (cause?: unknown): ApiError =>
  new ApiError('validation', {
    message: 'Validation failed: File content type is invalid, File is invalid',
    cause,
  })

export const unverified = (cause?: unknown): ApiError =>
  new ApiError('validation', { message: 'File type of uploaded media could not be verified', cause })

export const thumbnailRefused = (): ApiError => validationError('Thumbnail must be blank')

export const processingFailed = (): ApiError =>
  new ApiError('internal', { message: 'Error processing thumbnail for uploaded media' })

/** The same error when the attachment is requested later. */
export const wasNotProcessed = (): ApiError =>
  new ApiError('validation', { message: 'Error processing thumbnail for uploaded media' })

/** @throws ApiError when a file reaches its limit in bytes */
export function refuseLarge(attribute: 'File' | 'Thumbnail', sizeBytes: number, kind: 'image' | 'other'): void {
  const { image_size_limit: image, video_size_limit: other } = LIMITS.media_attachments
  const limitBytes = kind === 'image' ? image : other
  if (sizeBytes < limitBytes) return
  const limit = `${Math.floor(limitBytes / MEGABYTE)} MB`
  throw validationError(`${attribute} file size must be less than ${limit}`, `${attribute} must be less than ${limit}`)
}

/** A 422 for a picture or video with too many pixels or frames per second. */
export const notSupported = (what: string): ApiError =>
  new ApiError('validation', { message: `${what} are not supported` })
