import { ApiError, type ErrorName } from '../../core/errors.ts'

const NAMES = {
  400: 'signatureMalformed',
  401: 'signatureInvalid',
  403: 'signatureForbidden',
  503: 'signatureUnchecked',
} as const satisfies Record<number, ErrorName>

/** The error for a refused signature; its status is 401 by default. */
export const signatureError = (message: string, status: keyof typeof NAMES = 401, cause?: unknown): ApiError =>
  new ApiError(NAMES[status], { message, cause })
