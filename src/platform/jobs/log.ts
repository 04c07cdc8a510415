import { Logger } from 'graphile-worker'

/** The methods of a logger that jobs use; pino's shape. */
export interface JobLogger {
  error(fields: object, message: string): void
  warn(fields: object, message: string): void
  info(fields: object, message: string): void
  debug(fields: object, message: string): void
}

/**
 * Redirects graphile-worker's messages. Messages about single runs are logged at level debug, since
 * `countOutcomes` logs each failure once, as is that there are fewer connections than jobs at once.
 * Payloads are not logged.
 */
export const workerLog = (logger: JobLogger): Logger =>
  new Logger(() => (level, message, meta) => {
    const name: string = level
    const isHarmless = meta?.['failure'] === true || meta?.['concurrency'] !== undefined
    if (isHarmless || name === 'info' || name === 'debug') {
      logger.debug({ worker: message }, 'message of the job worker')
    } else if (name === 'error') logger.error({ worker: message }, 'error of the job worker')
    else logger.warn({ worker: message }, 'warning of the job worker')
  })
