import { pino, type Logger as PinoLogger } from 'pino'
import type { Config } from './config.ts'
import { formatLogLine } from './terminal_log.ts'

/**
 * Structured logs. error: an operator must act; warn: the server coped; info: start, stop, request;
 * debug: the rest. Messages are constant, fields hold what varies, durations are in milliseconds.
 */
export interface Logger {
  error(fields: object, message: string): void
  warn(fields: object, message: string): void
  info(fields: object, message: string): void
  debug(fields: object, message: string): void
  flush(): void
}

/** Query parameters and members whose values are never logged. */
const SECRET_PARAMETER =
  /((?:access_token|bearer_token|token|client_secret|password|code|confirmation_token|reset_password_token)(?:%5D|\])?=)[^&\s"]*/gi
const SECRET_MEMBERS = [
  'authorization',
  'cookie',
  'password',
  'token',
  'access_token',
  'client_secret',
  'secret',
  '*.authorization',
  '*.cookie',
  '*.password',
  '*.token',
  '*.access_token',
  '*.client_secret',
  '*.secret',
]

/** Replaces the values of secret parameters in a URL or text. */
export const redact = (text: string): string => text.replace(SECRET_PARAMETER, '$1[redacted]')

/**
 * Writes lines of JSON to standard output, or to the given stream; to a terminal, words.
 */
export function createLogger(
  config: Pick<Config, 'logLevel'>,
  destination?: { write(line: string): void },
  bindings: object = {},
): Logger {
  const options = { level: config.logLevel, base: bindings, redact: { paths: SECRET_MEMBERS, censor: '[redacted]' } }
  const own = process.stdout.isTTY
    ? { write: (line: string): void => void process.stdout.write(formatLogLine(line)) }
    : pino.destination({ sync: false, minLength: 0 })
  const logger: PinoLogger = pino(options, destination ?? own)
  return {
    error: (fields, message) => logger.error(fields, message),
    warn: (fields, message) => logger.warn(fields, message),
    info: (fields, message) => logger.info(fields, message),
    debug: (fields, message) => logger.debug(fields, message),
    flush: () => logger.flush(),
  }
}
