import { ApiError, type ErrorName } from '../../core/errors.ts'

const NAMES = {
  400: 'signatureMalformed',
  401: 'signatureInvalid',
  403: 'signatureForbidden',
  503: 'signatureUnchecked',
} as const satisfies Record<number, ErrorName>

/** A signature that was not accepted: 401 unless said otherwise. */
export const signatureError = (message: string, status: keyof typeof NAMES = 401, cause?: unknown): ApiError =>
  new ApiError(NAMES[status], { message, cause })
