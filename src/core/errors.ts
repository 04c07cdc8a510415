/**
 * The catalogue of errors that a client may see: name, HTTP status and text. Where the text
 * contains a particular value, the thrower passes it as `message`.
 */
export const ERRORS = {
  badRequest: { status: 400, error: 'Bad Request' },
  malformedBody: { status: 400, error: 'The request body could not be read' },
  missingParameter: { status: 400, error: 'param is missing or the value is empty or invalid' },
  tokenInvalid: { status: 401, error: 'The access token is invalid' },
  tokenRevoked: { status: 401, error: 'The access token was revoked' },
  tokenExpired: { status: 401, error: 'The access token expired' },
  signatureMalformed: { status: 400, error: 'Error parsing signature parameters' },
  signatureInvalid: { status: 401, error: 'Verification failed' },
  signatureForbidden: { status: 403, error: 'Public key not found' },
  signatureUnchecked: { status: 503, error: 'Failed to fetch remote data (got unexpected reply from server)' },
  unsigned: { status: 401, error: 'Request not signed' },
  userRequired: { status: 401, error: 'This method requires an authenticated user' },
  unauthorized: { status: 401, error: 'Unauthorized' },
  outsideScopes: { status: 403, error: 'This action is outside the authorized scopes' },
  appTokenRequired: { status: 403, error: 'This method requires an client credentials authentication' },
  unconfirmed: { status: 403, error: 'Your login is missing a confirmed e-mail address' },
  pendingApproval: { status: 403, error: 'Your login is currently pending approval' },
  loginDisabled: { status: 403, error: 'Your login is currently disabled' },
  notAllowed: { status: 403, error: 'This action is not allowed' },
  forbidden: { status: 403, error: 'Forbidden' },
  notFound: { status: 404, error: 'Record not found' },
  routeNotFound: { status: 404, error: 'Not Found' },
  methodNotAllowed: { status: 405, error: 'Method Not Allowed' },
  notAcceptable: { status: 406, error: 'Not Acceptable' },
  requestTimeout: { status: 408, error: 'Request Timeout' },
  conflict: { status: 409, error: 'Conflict during update, please try again' },
  gone: { status: 410, error: 'Gone' },
  /** The server ends for good (SELF_DESTRUCT). */
  serverClosed: { status: 410, error: 'Gone' },
  tooLarge: { status: 413, error: 'Payload Too Large' },
  uriTooLong: { status: 414, error: 'URI Too Long' },
  unsupportedMediaType: { status: 415, error: 'Unsupported Media Type' },
  functionalUserRequired: { status: 422, error: 'This method requires an authenticated user' },
  validation: { status: 422, error: 'Validation failed' },
  duplicate: { status: 422, error: 'Duplicate record' },
  invalidDate: { status: 422, error: 'Invalid date supplied' },
  csrf: { status: 422, error: 'Unprocessable Content' },
  tooManyRequests: { status: 429, error: 'Too many requests' },
  internal: { status: 500, error: 'Internal Server Error' },
  remoteFailed: { status: 503, error: 'Remote data could not be fetched' },
  unavailable: { status: 503, error: 'There was a temporary problem serving your request, please try again' },
} as const satisfies Record<string, { status: number; error: string }>

export type ErrorName = keyof typeof ERRORS

export interface ApiErrorOptions {
  /** Shown to the client instead of the catalogue's text. */
  message?: string
  /**
   * Members of the JSON body in addition to `error`, such as sign-up's `details` or OAuth's
   * `error_description`.
   */
  body?: Record<string, unknown>
  /** Response headers that belong to the error. */
  headers?: Record<string, string>
  cause?: unknown
}

/**
 * The only error whose message a client may read; any other is logged, and answered by a plain 500.
 */
export class ApiError extends Error {
  readonly code: ErrorName
  readonly status: number
  readonly body: Record<string, unknown>
  readonly headers: Record<string, string>

  constructor(code: ErrorName, options: ApiErrorOptions = {}) {
    const { status, error } = ERRORS[code]
    super(options.message ?? error, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'ApiError'
    this.code = code
    this.status = status
    this.body = options.body ?? {}
    this.headers = options.headers ?? {}
  }
}

/** A 422 with the standard text `Validation failed: A, B`. */
export const validationError = (...messages: string[]): ApiError =>
  new ApiError('validation', { message: `Validation failed: ${messages.join(', ')}` })

/** An error of one field of a form. */
export interface FieldError {
  readonly field: string
  /** Such as `ERR_BLANK`: forms show the text `form_error.FIELD.CODE` or `form_error.CODE`. */
  readonly code: string
  /** In English, after the name of the field. */
  readonly message: string
}

/**
 * A 422 with the standard text, and with the errors by field in `details`, from which forms take
 * them (`fieldErrorsOf`).
 */
export function fieldErrors(...errors: readonly FieldError[]): ApiError {
  const details: Record<string, { error: string; description: string }[]> = {}
  for (const { field, code, message } of errors) (details[field] ??= []).push({ error: code, description: message })
  const { message } = validationError(...errors.map(error => `${labelOf(error.field)} ${error.message}`))
  return new ApiError('validation', { message, body: { details } })
}

function labelOf(field: string): string {
  const words = field.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
