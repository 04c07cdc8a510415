import { ApiError } from '../../core/errors.ts'

/** SQLSTATEs after which the same transaction may succeed when it is run again (PostgreSQL, appendix A). */
const WORTH_A_RETRY: Record<string, string> = {
  '40001': 'serialization_failure',
  '40P01': 'deadlock_detected',
}

/** SQLSTATEs that say that the server is going, starting or full: the client is told to try again. */
const UNAVAILABLE: Record<string, string> = {
  '53300': 'too_many_connections',
  '55P03': 'lock_not_available',
  '57P01': 'admin_shutdown',
  '57P02': 'crash_shutdown',
  '57P03': 'cannot_connect_now',
  '57014': 'query_canceled',
  '53100': 'disk_full',
}

/** SQLSTATEs of values that no column can hold: bad input that a parser let through. */
const BAD_VALUE: Record<string, string> = {
  '22021': 'character_not_in_repertoire',
  '22P05': 'untranslatable_character',
  '22P02': 'invalid_text_representation',
  '22003': 'numeric_value_out_of_range',
  '22008': 'datetime_field_overflow',
}

const CONNECTION_LOST = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT', 'ETIMEDOUT'])

/** The driver's own words, which have no code: the connection went, or none could be had. */
const DRIVER_LOST = /Connection terminated|timeout exceeded when trying to connect/
/** The connection had gone before the statement was handed to it. */
const DRIVER_UNREACHED = /encountered a connection error and is not queryable/

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** The name of the violated constraint, or undefined when the error is none. */
export function violatedConstraint(error: unknown): string | undefined {
  const cause = error instanceof ApiError ? error.cause : error
  return cause instanceof Error && 'constraint' in cause && typeof cause.constraint === 'string'
    ? cause.constraint
    : undefined
}

export const isRetryable = (error: unknown): boolean =>
  codeOf(error instanceof ApiError ? error.cause : error) in WORTH_A_RETRY

/** Whether the connection or the server is gone, as opposed to a fault of the statement. */
export function isUnavailable(error: unknown): boolean {
  const code = codeOf(error)
  return (
    code in UNAVAILABLE ||
    code.startsWith('08') ||
    CONNECTION_LOST.has(code) ||
    (error instanceof Error && (DRIVER_LOST.test(error.message) || DRIVER_UNREACHED.test(error.message)))
  )
}

/** Whether a statement failed because the connection went, as opposed to a server that is too busy or refuses. */
export const isConnectionLost = (error: unknown): boolean => {
  const cause = error instanceof ApiError ? error.cause : error
  return isUnavailable(cause) && codeOf(cause) !== '57014' && codeOf(cause) !== '53300' && codeOf(cause) !== '53100'
}

/** Nobody listens, or the server says that it is starting or stopping before it takes any statement. */
const UNREACHED = new Set(['ECONNREFUSED', 'ENOENT', '57P03'])

/** Whether a statement failed before the server had been asked, so that it cannot have been executed. */
export const isNotSent = (error: unknown): boolean => {
  const cause = error instanceof ApiError ? error.cause : error
  return UNREACHED.has(codeOf(cause)) || (cause instanceof Error && DRIVER_UNREACHED.test(cause.message))
}

const READ_ONLY = '25006'

/** Whether a statement was refused because it would write, in a transaction that may only read. */
export const isWriteRefused = (error: unknown): boolean => codeOf(error) === READ_ONLY

/** What the client is told of an error of the database; errors of our own statements stay as they are and become a 500. */
export function toApiError(error: unknown): unknown {
  if (error instanceof ApiError) return error
  const code = codeOf(error)
  if (code === '23505') return new ApiError('duplicate', { cause: error })
  if (code === '23503') return new ApiError('notFound', { cause: error })
  if (code in BAD_VALUE) return new ApiError('badRequest', { cause: error })
  if (isUnavailable(error) || code in WORTH_A_RETRY) return new ApiError('unavailable', { cause: error })
  return error
}
