import { Logger } from 'graphile-worker'

/** What jobs need of a logger; pino's shape. */
export interface JobLogger {
  error(fields: object, message: string): void
  warn(fields: object, message: string): void
  info(fields: object, message: string): void
  debug(fields: object, message: string): void
}

/**
 * graphile-worker's own messages. Its account of each run is left to debug: failures are logged once, by us, and success is no news.
 * Payloads are not logged.
 */
export const workerLog = (logger: JobLogger): Logger =>
  new Logger(() => (level, message, meta) => {
    const name: string = level
    if (meta?.['failure'] === true || name === 'info' || name === 'debug') {
      logger.debug({ worker: message }, 'job worker says')
    } else if (name === 'error') logger.error({ worker: message }, 'job worker failed')
    else logger.warn({ worker: message }, 'job worker warns')
  })
