import { c, query, type Runner } from '../database/index.ts'
import type { JobKind } from './job.ts'

const addJob = query(
  'platform/jobs/enqueue',
  {
    name: c.text,
    payload: c.json<unknown>(),
    attempts: c.integer,
    priority: c.integer,
    at: c.nullable(c.timestamp),
    key: c.nullable(c.text),
    queue: c.nullable(c.text),
  },
  { id: c.id },
)

export interface EnqueueOptions {
  /** Not before this time; immediately when absent or past. */
  at?: Date
  /**
   * Replaces the payload, time and attempts of a job that waits under the same key. At most 512
   * characters.
   */
  key?: string
  /** Jobs of one queue run one after the other. */
  queue?: string
}

/** Adds a job. In a transaction, it runs only if, and as soon as, that commits. */
export async function enqueue<T>(
  runner: Runner,
  job: JobKind<T>,
  payload: T,
  options: EnqueueOptions = {},
): Promise<void> {
  await runner.run(addJob, {
    name: job.name,
    payload,
    attempts: job.attempts,
    priority: job.priority,
    at: options.at ?? null,
    key: options.key ?? null,
    queue: options.queue ?? null,
  })
}
