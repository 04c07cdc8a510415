import type { Config } from '../core/config.ts'
import type { Logger } from '../core/logger.ts'
import type { Connection } from '../platform/database/index.ts'
import { probePort } from '../platform/http/port.ts'
import { DATABASE_RESTARTS, snapshotOf } from '../platform/metrics/index.ts'
import { createAggregator } from '../platform/metrics/worker_metrics.ts'
import { startGeneration, type Generation, type Send } from './generation.ts'
import { prepareSuccessors, type Prepared } from './prepare.ts'
import { RestartError } from './restart_error.ts'

/** The processes after a restart. */
export interface Restarted {
  readonly processes: number
  readonly durationMs: number
}

/** What serves requests: this process, or a generation of workers. */
interface Serving {
  stop(): Promise<void>
  retire(): Promise<void>
  senders?(): Send[]
}

/** The processes that serve. */
export interface Processes {
  /** See `Started.restart`. */
  readonly restart: () => Promise<Restarted>
  close(): Promise<void>
}

export interface ProcessesOptions {
  readonly config: Config
  readonly connection: Connection
  readonly logger: Logger
  readonly databaseRestarts: () => number
  /** Whether this process runs the database. */
  readonly isEmbedded: boolean
}

/** New workers that do not listen within this time have failed. */
const START_MS = 300_000

/** @throws Error when they do not listen in time */
async function untilListening(generation: Generation): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`they did not listen within ${START_MS / 1000} s`)), START_MS)
  })
  try {
    await Promise.race([generation.listening, late])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Serves in this process or, with several, in workers. A restart always starts workers: this
 * process then only keeps the database and the workers running, so that its id stays the same.
 * @param serveHere serves in this process
 */
export async function openProcesses(
  { config: first, connection, logger, databaseRestarts, isEmbedded }: ProcessesOptions,
  serveHere: () => Promise<Serving>,
): Promise<Processes> {
  const open = new Set<Serving>()
  let config = first
  let underWay: Promise<Restarted> | undefined
  const closing = new AbortController()
  const aggregator = createAggregator(
    () => [...open].flatMap(serving => serving.senders?.() ?? []),
    () => snapshotOf(DATABASE_RESTARTS, databaseRestarts),
  )

  async function start(next: Prepared): Promise<Serving> {
    const generation = startGeneration({ ...next, logger, receive: aggregator.receive })
    open.add(generation)
    try {
      await untilListening(generation)
      return generation
    } catch (error) {
      await generation.discard()
      open.delete(generation)
      throw error
    }
  }

  async function startFirst(): Promise<Serving> {
    if (config.workers === 1) {
      const here = await serveHere()
      open.add(here)
      return here
    }
    await probePort(config.bind, config.port)
    return start({ config, connection })
  }

  async function replace(): Promise<Restarted> {
    const began = performance.now()
    const next = await prepareSuccessors({ config, connection, isEmbedded }, closing.signal)
    const successor = await start(next).catch((error: unknown) => {
      throw new RestartError(`the new processes failed: ${error instanceof Error ? error.message : String(error)}`)
    })
    const durationMs = Math.round(performance.now() - began)
    const predecessor = serving
    serving = successor
    config = next.config
    logger.info({ processes: config.workers, durationMs }, 'new processes serve; the previous ones finish')
    await predecessor.retire()
    open.delete(predecessor)
    logger.info({ durationMs: Math.round(performance.now() - began) }, 'the previous processes have ended')
    return { processes: config.workers, durationMs }
  }

  let serving = await startFirst()
  return {
    restart() {
      if (underWay || closing.signal.aborted)
        return Promise.reject(new RestartError(underWay ? 'a restart is under way' : 'the server stops'))
      underWay = replace().finally(() => (underWay = undefined))
      return underWay
    },
    async close() {
      closing.abort()
      await Promise.all([...open].map(one => one.stop()))
    },
  }
}
