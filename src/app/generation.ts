import { fork, type ChildProcess } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { Config } from '../core/config.ts'
import type { Logger } from '../core/logger.ts'
import type { Connection } from '../platform/database/index.ts'

const FIRST_RESTART_MS = 100
const LAST_RESTART_MS = 30_000
/** A worker that has run this long resets the restart delay. */
const STEADY_MS = 60_000

const ENTRY = fileURLToPath(new URL('./worker.ts', import.meta.url))

/** Sends a message to a process. */
export type Send = (message: object) => void

/** Takes the error of a message to a process that has just ended. */
const ignoreEnded = (): void => undefined

/** Sends to a process; a message to an ended process is dropped. */
const sendTo =
  (child: ChildProcess): Send =>
  message => {
    if (child.connected) child.send(message, ignoreEnded)
  }

/** Starts a process. Some failures throw, such as those for lack of memory; others are events. */
function tryFork(onFailure: (reason: string) => void): ChildProcess | undefined {
  try {
    return fork(ENTRY, { serialization: 'json' })
  } catch (error) {
    onFailure(error instanceof Error ? error.message : String(error))
    return undefined
  }
}

/** A worker's message about its start. */
const outcomeOf = (message: unknown): { readonly failed?: string } | undefined =>
  message === 'listening'
    ? {}
    : typeof message === 'object' && message !== null && 'failed' in message
      ? { failed: String(message.failed) }
      : undefined

export interface GenerationOptions {
  readonly config: Config
  readonly connection: Connection
  readonly logger: Logger
  /** Receives the messages of workers. @returns false when the message is about its start */
  readonly receive: (send: Send, message: unknown) => boolean
}

/** Server processes with one configuration, and the code that was there when each started. */
export interface Generation {
  /** Resolves when all of them listen; rejects when one of them ends before. */
  readonly listening: Promise<void>
  /** How to send to each of them. */
  senders(): Send[]
  /** Stops them after running requests have finished. */
  stop(): Promise<void>
  /** Stops them when others have taken over the port. */
  retire(): Promise<void>
  /** Stops them when their start has failed: some may serve, and some may hang. */
  discard(): Promise<void>
}

/** Longer than open connections may take to finish. */
const DISCARD_MS = 75_000

/**
 * Serves in `config.workers` processes that share the port. Each has its own pool and its own
 * connection to the event log; one that dies is restarted after a growing delay.
 */
export function startGeneration({ config, connection, logger, receive }: GenerationOptions): Generation {
  const children = new Map<number, ChildProcess>()
  const timers = new Set<NodeJS.Timeout>()
  let ending = false

  function launch(index: number, waitMs: number): Promise<void> {
    const startedAt = performance.now()
    let failure = ''
    return new Promise((resolve, reject) => {
      function onEnd(reason: string): void {
        children.delete(index)
        reject(new Error(`worker ${index} ended before it listened (${reason})${failure}`))
        if (ending) return
        const next =
          performance.now() - startedAt > STEADY_MS ? FIRST_RESTART_MS : Math.min(waitMs * 2, LAST_RESTART_MS)
        logger.error({ worker: index, reason, waitMs }, 'a worker exited; restarting it')
        const timer = setTimeout(() => {
          timers.delete(timer)
          launch(index, next).catch(() => undefined)
        }, waitMs)
        timers.add(timer)
      }
      const child = tryFork(onEnd)
      if (!child) return
      const send = sendTo(child)
      children.set(index, child)
      send({ config, connection, index })
      child.on('message', message => {
        if (receive(send, message)) return
        const outcome = outcomeOf(message)
        if (outcome?.failed !== undefined) failure = `: ${outcome.failed}`
        else if (outcome) resolve()
      })
      child.once('exit', (code, signal) => onEnd(String(signal ?? code)))
      child.on('error', error => {
        // Too many processes, or Node.js is being replaced: there is no process that could exit.
        if (child.pid === undefined) onEnd(error.message)
      })
    })
  }

  async function end(send: (child: ChildProcess) => void): Promise<void> {
    ending = true
    for (const timer of timers) clearTimeout(timer)
    await Promise.all(
      [...children.values()].map(
        child =>
          new Promise<void>(resolve => {
            child.once('exit', () => resolve())
            send(child)
          }),
      ),
    )
  }

  const retire = (): Promise<void> => end(child => sendTo(child)({ retire: true }))

  const starting = Array.from({ length: config.workers }, (_, index) => launch(index, FIRST_RESTART_MS))
  return {
    listening: Promise.all(starting).then(() => undefined),
    senders: () => [...children.values()].map(sendTo),
    stop: () => end(child => child.kill('SIGTERM')),
    retire,
    async discard() {
      const timer = setTimeout(() => {
        for (const child of children.values()) child.kill('SIGKILL')
      }, DISCARD_MS)
      await retire()
      clearTimeout(timer)
    },
  }
}
