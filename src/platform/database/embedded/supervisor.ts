import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'

/**
 * How a PostgreSQL ended; both null when it was another process's child, whose exit status is
 * unknown.
 */
export interface End {
  readonly code: number | null
  readonly signal: string | null
}

/** A PostgreSQL that this process started, or found running. */
export interface Run {
  readonly ended: Promise<End>
}

export interface SupervisorLogger {
  error(fields: object, message: string): void
  info(fields: object, message: string): void
}

export interface SupervisorOptions {
  /** Starts it again, or joins the one that another process has started meanwhile. */
  readonly restart: () => Promise<Run>
  readonly logger: SupervisorLogger
  /** The log file that explains the end. */
  readonly logFile: string
}

export interface Supervisor {
  /** How often it ended and was restarted. */
  restarts(): number
  /** Stops restarting it; waits for a restart in progress. */
  close(): Promise<void>
}

const FIRST_WAIT_MS = 100
const LAST_WAIT_MS = 30_000
/** After running this long, the restart delay is reset. */
const STEADY_MS = 60_000
/**
 * The delay before the restart of a server that was stopped by a signal: this process probably
 * receives the same signal.
 */
const ORDERLY_MS = 1_000

const HINTS: Readonly<Record<string, string>> = {
  SIGKILL: 'it was killed: by somebody, or by the kernel because memory ran out',
  SIGQUIT: 'it was told to stop at once',
}

/** Restarts PostgreSQL whenever it ends, until `close`; the waits grow while it keeps ending. */
export function supervise(first: Run, { restart, logger, logFile }: SupervisorOptions): Supervisor {
  const closing = new AbortController()
  const { signal } = closing
  const closed = once(signal, 'abort')
  let restarts = 0
  let waitMs = FIRST_WAIT_MS

  /** @returns false when it was closed meanwhile */
  const pause = (ms: number): Promise<boolean> => delay(ms, true, { signal, ref: false }).catch(() => false)

  async function startAgain(): Promise<Run | undefined> {
    const started = performance.now()
    for (;;) {
      if (!(await pause(waitMs))) return undefined
      waitMs = Math.min(waitMs * 2, LAST_WAIT_MS)
      try {
        const run = await restart()
        restarts += 1
        logger.info(
          { restarts, durationMs: Math.round(performance.now() - started) },
          'embedded PostgreSQL was restarted',
        )
        return run
      } catch (error) {
        logger.error({ err: error, waitMs }, 'could not restart the embedded PostgreSQL; trying again later')
      }
    }
  }

  async function run(): Promise<void> {
    for (let run: Run | undefined = first; run;) {
      const began = performance.now()
      const end = await Promise.race([run.ended, closed.then(() => undefined)])
      if (end === undefined || signal.aborted) return
      if (performance.now() - began > STEADY_MS) waitMs = FIRST_WAIT_MS
      if (end.code === 0 && !(await pause(ORDERLY_MS))) return
      const likelyCause = end.signal === null ? undefined : HINTS[end.signal]
      logger.error(
        { ...end, likelyCause, waitMs, see: logFile },
        'embedded PostgreSQL exited unexpectedly; restarting it',
      )
      run = await startAgain()
    }
  }

  const supervising = run()
  return {
    restarts: () => restarts,
    async close() {
      closing.abort()
      await supervising
    },
  }
}
