/** The circumstances of a run. */
export interface JobRun {
  /** 1 for the first attempt. */
  readonly attempt: number
  /** Whether no attempt follows this one. */
  readonly lastAttempt: boolean
  /** When the transaction began that enqueued it. */
  readonly enqueuedAt: Date
  /** Aborted when the server stops and the run takes too long; the next attempt does the rest. */
  readonly signal: AbortSignal
}

export interface JobOptions {
  /**
   * The number of attempts; the wait after attempt n is e^n seconds, from the tenth on six hours.
   * 12 attempts take 16 hours, the default takes 40, so that e-mails wait for a day and a half.
   */
  attempts?: number
  /** A smaller number runs first; -1000 to 1000. */
  priority?: number
  /**
   * The schedule, as in crontab(5), in UTC: `*\/5 * * * *`. Times that pass while no server runs
   * are skipped.
   */
  cron?: string
  /** Its time was chosen by a user and is not a delay, so it stays when the clock is corrected. */
  hasChosenTime?: boolean
}

/** The properties that enqueuing needs, without the work itself. */
export interface JobKind<T> {
  readonly name: string
  readonly attempts: number
  readonly priority: number
  /** Carries the payload's type; never set. */
  readonly payload?: T
}

/**
 * Deferred work. It may run more than once (after a crash between its effect and its end), so
 * running it twice must be harmless.
 */
export interface Job<T, Services> extends JobKind<T> {
  readonly cron: string | undefined
  readonly hasChosenTime: boolean
  /** Parses the stored payload and runs the work. */
  readonly perform: (payload: unknown, services: Services, run: JobRun) => Promise<void>
}

/** The default of the SQL function `enqueue`. */
const DEFAULT_ATTEMPTS = 16

/**
 * Declares a job. `parse` reads the stored payload, which an older version may have written, and
 * throws when it is invalid; a job with `cron` gets an object with the time in `_cron.ts`.
 */
export function job<T, Services>(
  name: string,
  parse: (payload: unknown) => T,
  run: (payload: T, services: Services, run: JobRun) => Promise<void>,
  options: JobOptions = {},
): Job<T, Services> {
  return {
    name,
    attempts: options.attempts ?? DEFAULT_ATTEMPTS,
    priority: options.priority ?? 0,
    cron: options.cron,
    hasChosenTime: options.hasChosenTime ?? false,
    perform: async (payload, services, about) => run(parse(payload), services, about),
  }
}
