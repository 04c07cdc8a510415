import { ApiError } from '../../core/errors.ts'

/**
 * SQLSTATEs after which the same transaction may succeed when it is repeated (PostgreSQL, appendix
 * A).
 */
const RETRYABLE: Record<string, string> = {
  '40001': 'serialization_failure',
  '40P01': 'deadlock_detected',
}

/**
 * SQLSTATEs of a server that is stopping, starting, full, without memory, or refused something by
 * its system: try again later.
 */
const UNAVAILABLE: Record<string, string> = {
  '53300': 'too_many_connections',
  '55P03': 'lock_not_available',
  '57P01': 'admin_shutdown',
  '57P02': 'crash_shutdown',
  '57P03': 'cannot_connect_now',
  '57014': 'query_canceled',
  '53100': 'disk_full',
  '53200': 'out_of_memory',
  '58000': 'system_error',
  '58030': 'io_error',
  // Also of a library that there was no memory to load.
  '58P01': 'undefined_file',
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

/**
 * Messages of the driver, which have no code: the connection was lost, none was available, or it
 * does not answer.
 */
const DRIVER_LOST = /Connection terminated|timeout exceeded when trying to connect|Query read timeout/
/** The connection was lost before the driver passed the statement on. */
const DRIVER_NOT_SENT = /encountered a connection error and is not queryable/

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

/** The name of the violated constraint, or undefined for other errors. */
export function violatedConstraint(error: unknown): string | undefined {
  const cause = error instanceof ApiError ? error.cause : error
  return cause instanceof Error && 'constraint' in cause && typeof cause.constraint === 'string'
    ? cause.constraint
    : undefined
}

export const isRetryable = (error: unknown): boolean =>
  codeOf(error instanceof ApiError ? error.cause : error) in RETRYABLE

/** Constraints of ids that contain the time (sql/functions/snowflake.sql). */
const TIMED_IDS = new Set([
  'account_conversations_pkey',
  'accounts_pkey',
  'collection_items_pkey',
  'collections_pkey',
  'conversations_pkey',
  'media_attachments_pkey',
  'notification_requests_pkey',
  'quotes_pkey',
  'statuses_pkey',
])

/**
 * Whether a new id existed already: after the clock was set back, a millisecond comes again. The
 * next attempt has another id.
 */
export const isIdTaken = (error: unknown): boolean => TIMED_IDS.has(violatedConstraint(error) ?? '')

/** Whether the connection or the server is unavailable, as opposed to an error of the statement. */
export function isUnavailable(error: unknown): boolean {
  const code = codeOf(error)
  return (
    code in UNAVAILABLE ||
    code.startsWith('08') ||
    CONNECTION_LOST.has(code) ||
    (error instanceof Error && (DRIVER_LOST.test(error.message) || DRIVER_NOT_SENT.test(error.message)))
  )
}

/**
 * Whether the server accepts no connection for lack of space: an error of a statement is not FATAL.
 */
export const isFullForConnections = (error: unknown): boolean =>
  codeOf(error) === '53100' && error instanceof Error && 'severity' in error && error.severity === 'FATAL'

/** The connection is good: canceled, too many connections, no space or memory, a system error. */
const BUSY = new Set(['57014', '53300', '53100', '53200', '58000', '58030', '58P01'])

/**
 * Whether a statement failed because the connection was lost, as opposed to a server that is too
 * busy or refuses.
 */
export const isConnectionLost = (error: unknown): boolean => {
  const cause = error instanceof ApiError ? error.cause : error
  return isUnavailable(cause) && !BUSY.has(codeOf(cause))
}

/**
 * Nothing listens, or the server reports that it is starting or stopping before it takes any
 * statement.
 */
const NOT_SENT = new Set(['ECONNREFUSED', 'ENOENT', '57P03'])

/**
 * Whether a statement failed before it reached the server, so that it cannot have been executed.
 */
export const isNotSent = (error: unknown): boolean => {
  const cause = error instanceof ApiError ? error.cause : error
  return NOT_SENT.has(codeOf(cause)) || (cause instanceof Error && DRIVER_NOT_SENT.test(cause.message))
}

const READ_ONLY = '25006'

/**
 * Whether a statement was refused because it would write in a read-only transaction: one that we
 * began so, or any on a server that only reads, such as one that is no longer the leader.
 */
export const isWriteRefused = (error: unknown): boolean =>
  codeOf(error instanceof ApiError ? error.cause : error) === READ_ONLY

/**
 * Maps an error of the database to the error for the client; errors of our own statements are
 * unchanged and become a 500.
 */
export function toApiError(error: unknown): unknown {
  if (error instanceof ApiError) return error
  const code = codeOf(error)
  if (code === '23505') return new ApiError('duplicate', { cause: error })
  if (code === '23503') return new ApiError('notFound', { cause: error })
  if (code in BAD_VALUE) return new ApiError('badRequest', { cause: error })
  if (isUnavailable(error) || code in RETRYABLE || code === READ_ONLY)
    return new ApiError('unavailable', { cause: error })
  return error
}
