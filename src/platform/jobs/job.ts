/** What a run knows about itself. */
export interface JobRun {
  /** 1 for the first try. */
  readonly attempt: number
  /** Whether there is no other try after this one. */
  readonly lastAttempt: boolean
  /** Aborted when the server stops and the run has gone on for too long; what it has not done is done in the next try. */
  readonly signal: AbortSignal
}

export interface JobOptions {
  /** Tries until it is given up; the wait after try n is e^n seconds, at most six hours. 12 tries take about a day and a half. */
  attempts?: number
  /** A smaller number runs first; -1000 to 1000. */
  priority?: number
  /** When it is enqueued by itself, as in crontab(5), in UTC: `*\/5 * * * *`. Times that pass while no server runs are left out. */
  cron?: string
}

/** What enqueuing needs to know of a job: enough where its work is not at hand. */
export interface JobKind<T> {
  readonly name: string
  readonly attempts: number
  readonly priority: number
  /** Carries the payload's type; never set. */
  readonly payload?: T
}

/** Work that can wait. It may run more than once (a crash between its effect and its end), so doing it twice must be harmless. */
export interface Job<T, Services> extends JobKind<T> {
  readonly cron: string | undefined
  /** Parses the stored payload and runs. */
  readonly perform: (payload: unknown, services: Services, run: JobRun) => Promise<void>
}

/** As the SQL function `enqueue` has it. */
const DEFAULT_ATTEMPTS = 12

/**
 * Declares a kind of job. `parse` reads the payload as it comes from the database (a job may have been enqueued by an older
 * version) and throws when it is none; a job with `cron` gets an object with the time in `_cron.ts`.
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
    perform: async (payload, services, about) => run(parse(payload), services, about),
  }
}
