import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Config } from '../core/config.ts'
import type { Connection } from '../platform/database/index.ts'
import { probePort } from '../platform/http/port.ts'
import type { Logger } from '../core/logger.ts'
import { createAggregator } from '../platform/metrics/worker_metrics.ts'
import { DATABASE_RESTARTS, snapshotOf } from '../platform/metrics/index.ts'
import type { Server } from './server.ts'

const FIRST_RESTART_MS = 100
const LAST_RESTART_MS = 30_000
/** A worker that has run this long resets the restart delay. */
const STEADY_MS = 60_000

const ENTRY = fileURLToPath(new URL('./worker.ts', import.meta.url))

/** Sends to a process; a message to an ended process is dropped. */
const sendTo =
  (child: ChildProcess) =>
  (message: object): void => {
    if (child.connected) child.send(message)
  }

/**
 * Serves in `config.workers` processes that share the port. Each has its own pool and its own
 * connection to the event log; one that dies is restarted after a growing delay. Resolves when all
 * of them listen.
 */
export async function startWorkers(
  config: Config,
  connection: Connection,
  logger: Logger,
  databaseRestarts: () => number,
): Promise<Server> {
  await probePort(config.bind, config.port)
  const children = new Map<number, ChildProcess>()
  const timers = new Set<NodeJS.Timeout>()
  const aggregator = createAggregator(
    () => [...children.values()].map(sendTo),
    () => snapshotOf(DATABASE_RESTARTS, databaseRestarts),
  )
  let stopping = false

  function launch(index: number, waitMs: number): Promise<void> {
    const child = fork(ENTRY, { serialization: 'json' })
    const startedAt = Date.now()
    const send = sendTo(child)
    children.set(index, child)
    child.send({ config, connection, index })
    return new Promise((resolve, reject) => {
      child.on('message', message => {
        if (!aggregator.receive(send, message)) resolve()
      })
      child.once('exit', (code, signal) => {
        children.delete(index)
        reject(new Error(`worker ${index} ended before it listened (${signal ?? code})`))
        if (stopping) return
        const next = Date.now() - startedAt > STEADY_MS ? FIRST_RESTART_MS : Math.min(waitMs * 2, LAST_RESTART_MS)
        logger.error({ worker: index, code, signal, waitMs }, 'a worker exited; restarting it')
        const timer = setTimeout(() => {
          timers.delete(timer)
          launch(index, next).catch(() => undefined)
        }, waitMs)
        timers.add(timer)
      })
    })
  }

  async function stop(): Promise<void> {
    stopping = true
    for (const timer of timers) clearTimeout(timer)
    await Promise.all(
      [...children.values()].map(
        child =>
          new Promise<void>(resolve => {
            child.once('exit', () => resolve())
            child.kill('SIGTERM')
          }),
      ),
    )
  }

  try {
    await Promise.all(Array.from({ length: config.workers }, (_, index) => launch(index, FIRST_RESTART_MS)))
  } catch (error) {
    await stop()
    throw error
  }
  return { url: config.publicUrl, stop }
}
