import { ApiError, validationError } from '../../core/errors.ts'
import { LIMITS } from '../../core/limits.ts'

const MEGABYTE = 1024 * 1024

/* The texts are those of api/endpoints/media.json. */

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

/** The same of an attachment that is asked for later. */
export const wasNotProcessed = (): ApiError =>
  new ApiError('validation', { message: 'Error processing thumbnail for uploaded media' })

/** @throws ApiError when a file has as many bytes as its limit, or more */
export function refuseLarge(attribute: 'File' | 'Thumbnail', sizeBytes: number, kind: 'image' | 'other'): void {
  const { image_size_limit: image, video_size_limit: other } = LIMITS.media_attachments
  const limitBytes = kind === 'image' ? image : other
  if (sizeBytes < limitBytes) return
  const most = `${Math.floor(limitBytes / MEGABYTE)} MB`
  throw validationError(`${attribute} file size must be less than ${most}`, `${attribute} must be less than ${most}`)
}

/** A 422 for what is larger in pixels, or faster, than is accepted. */
export const notSupported = (what: string): ApiError =>
  new ApiError('validation', { message: `${what} are not supported` })
