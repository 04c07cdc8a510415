import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'

/** How a PostgreSQL ended; both null when it was another process's child, so that nobody told. */
export interface End {
  readonly code: number | null
  readonly signal: string | null
}

/** A PostgreSQL that was started, or found running. */
export interface Run {
  readonly ended: Promise<End>
}

export interface KeeperLogger {
  error(fields: object, message: string): void
  info(fields: object, message: string): void
}

export interface KeeperOptions {
  /** Starts it again, or joins the one that another process has started meanwhile. */
  readonly again: () => Promise<Run>
  readonly logger: KeeperLogger
  /** The file to look into. */
  readonly logFile: string
}

export interface Keeper {
  /** How often it has ended and runs again. */
  restarts(): number
  /** Starts it no more; waits for a start that is under way. */
  close(): Promise<void>
}

const FIRST_WAIT_MS = 100
const LAST_WAIT_MS = 30_000
/** One that has run this long starts the waits from the beginning. */
const STEADY_MS = 60_000
/** When it was told to end, this process is probably about to be told too: that much is waited for. */
const ORDERLY_MS = 1_000

const HINTS: Readonly<Record<string, string>> = {
  SIGKILL: 'it was killed: by somebody, or by the kernel because memory ran out',
  SIGQUIT: 'it was told to stop at once',
}

/** Starts a PostgreSQL again whenever it ends, after waits that grow as long as it does not stay, until `close`. */
export function keepRunning(first: Run, { again, logger, logFile }: KeeperOptions): Keeper {
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
        const run = await again()
        restarts += 1
        logger.info({ restarts, durationMs: Math.round(performance.now() - started) }, 'embedded PostgreSQL runs again')
        return run
      } catch (error) {
        logger.error({ err: error, waitMs }, 'embedded PostgreSQL could not be started again, trying later')
      }
    }
  }

  async function keep(): Promise<void> {
    for (let run: Run | undefined = first; run;) {
      const began = performance.now()
      const end = await Promise.race([run.ended, closed.then(() => undefined)])
      if (end === undefined || signal.aborted) return
      if (performance.now() - began > STEADY_MS) waitMs = FIRST_WAIT_MS
      if (end.code === 0 && !(await pause(ORDERLY_MS))) return
      const likely = end.signal === null ? undefined : HINTS[end.signal]
      logger.error(
        { ...end, likely, waitMs, see: logFile },
        'embedded PostgreSQL has ended though it is in use, starting it again',
      )
      run = await startAgain()
    }
  }

  const kept = keep()
  return {
    restarts: () => restarts,
    async close() {
      closing.abort()
      await kept
    },
  }
}
