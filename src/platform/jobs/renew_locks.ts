import type { WorkerEvents } from 'graphile-worker'
import { c, query, type Runner } from '../database/index.ts'
import type { JobLogger } from './log.ts'

const renewLocks = query('platform/jobs/renew_locks', { worker: c.text }, {})

const INTERVAL_MS = 3_600_000

/**
 * Keeps the running jobs of a process locked. After four hours graphile-worker would let another
 * worker run them a second time, beside the first: a backup may take longer.
 * @returns ends it
 */
export function keepLocks(
  events: WorkerEvents,
  { database, logger }: { readonly database: Runner; readonly logger: JobLogger },
): () => void {
  let worker = ''
  events.on('pool:create', ({ workerPool }) => {
    worker = workerPool.id
  })
  const timer = setInterval(() => {
    database.run(renewLocks, { worker }).catch((error: unknown) => {
      logger.warn({ err: error }, 'could not renew the locks of running jobs')
    })
  }, INTERVAL_MS).unref()
  return () => clearInterval(timer)
}
