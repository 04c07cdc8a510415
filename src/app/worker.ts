import type { Config } from '../core/config.ts'
import type { Connection } from '../platform/database/index.ts'
import { prepareStart, finishStart } from './runtime.ts'
import type { Serving } from './server.ts'

/**
 * One of several server processes. The parent sends the configuration, and stops it with SIGTERM,
 * or with `retire` when others have taken over; it also ends when the parent exits.
 */

interface Assignment {
  config: Config
  connection: Connection
  index: number
}

prepareStart()
const { createLogger } = await import('../core/logger.ts')
const { createWorkerMetrics } = await import('../platform/metrics/worker_metrics.ts')
const { requireMigrations } = await import('../platform/database/migrate.ts')
const { serve } = await import('./server.ts')
let server: Promise<Serving> | undefined
let stopping = false

async function stop(code: number): Promise<void> {
  // The parent's SIGTERM may be the second: systemd signals every process.
  if (stopping) return
  stopping = true
  const started = await server?.catch(() => undefined)
  await started?.stop()
  process.exit(code)
}

async function retire(): Promise<void> {
  const started = await server?.catch(() => undefined)
  await started?.retire()
  await stop(0)
}

const workerMetrics = createWorkerMetrics(message => process.send?.(message))

/** The parent is this program, of this version or an older one. */
process.on('message', (assignment: Assignment | { retire: true }) => {
  if (workerMetrics.receive(assignment)) return
  if ('retire' in assignment) return void retire()
  const logger = createLogger(assignment.config, undefined, { worker: assignment.index })
  const { config, connection } = assignment
  server ??= requireMigrations(connection).then(() => serve(config, connection, logger, { workerMetrics }))
  server.then(
    () => {
      finishStart()
      process.send?.('listening')
    },
    (error: unknown) => {
      logger.error({ err: error }, 'a worker could not start')
      logger.flush()
      const failed = error instanceof Error ? error.message : String(error)
      process.send?.({ failed }, () => process.exit(1))
    },
  )
})
// Ctrl-C reaches the whole process group; the parent then sends SIGTERM.
process.on('SIGINT', () => undefined)
process.on('SIGHUP', () => undefined)
process.on('SIGUSR2', () => undefined)
process.on('SIGTERM', () => void stop(0))
process.on('disconnect', () => void stop(1))
