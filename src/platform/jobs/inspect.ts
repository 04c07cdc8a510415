import type { Id } from '../../core/id.ts'
import { c, query, type Row, type Runner } from '../database/index.ts'

const queues = query(
  'platform/jobs/queues',
  {},
  {
    name: c.text,
    waiting: c.integer,
    running: c.integer,
    retrying: c.integer,
    failed: c.integer,
    oldest_due: c.nullable(c.timestamp),
  },
)
const totals = query(
  'platform/jobs/totals',
  {},
  { waiting: c.integer, running: c.integer, retrying: c.integer, failed: c.integer, oldest_seconds: c.float },
)
const page = query(
  'platform/jobs/page',
  { state: c.text, name: c.nullable(c.text), before: c.nullable(c.id), limit: c.integer },
  {
    id: c.id,
    name: c.text,
    attempts: c.integer,
    max_attempts: c.integer,
    run_at: c.timestamp,
    locked_at: c.nullable(c.timestamp),
    created_at: c.timestamp,
    last_error: c.nullable(c.text),
  },
)
const retry = query('platform/jobs/retry', { moderator: c.nullable(c.id), ids: c.ids }, { amount: c.integer })
const remove = query('platform/jobs/remove', { moderator: c.nullable(c.id), ids: c.ids }, { amount: c.integer })

/**
 * The states of a stored job: no attempt left, waiting for another attempt, running, or waiting for
 * its first attempt.
 */
export const JOB_STATES = ['failed', 'retrying', 'running', 'waiting'] as const
export type JobState = (typeof JOB_STATES)[number]

/** The stored jobs of a kind. */
export type Queue = Row<typeof queues.columns>
/** A stored job without its payload, which may contain secrets. */
export type StoredJob = Row<typeof page.columns>

export const listQueues = (runner: Runner): Promise<Queue[]> => runner.run(queues, {})

/** How many jobs are stored, by state. */
export async function countJobs(runner: Runner): Promise<Row<typeof totals.columns>> {
  const found = await runner.one(totals, {})
  if (!found) throw new Error('platform/jobs/totals returned no row')
  return found
}

/** Stored jobs of a state, and of one kind if `name` is given; newest first. */
export const listJobs = (
  runner: Runner,
  {
    state,
    name,
    before,
    limit,
  }: { state: JobState; name?: string | undefined; before?: Id | undefined; limit: number },
): Promise<StoredJob[]> => runner.run(page, { state, name: name ?? null, before: before ?? null, limit })

/** Runs jobs now, with all their attempts; returns the number of jobs. */
export const retryJobs = async (runner: Runner, moderator: Id | null, ids: readonly Id[]): Promise<number> =>
  (await runner.one(retry, { moderator, ids: [...ids] }))?.amount ?? 0

/** Deletes jobs that are not running; returns the number of jobs. */
export const removeJobs = async (runner: Runner, moderator: Id | null, ids: readonly Id[]): Promise<number> =>
  (await runner.one(remove, { moderator, ids: [...ids] }))?.amount ?? 0

const URL_REST = /(\bhttps?:\/\/[^\s/?#]+)[^\s"')>\]]*/g
const LONG_WORD = /[A-Za-z0-9_+/=-]{40,}/g
const MAX_CHARACTERS = 300

/** The first line of an error, without paths of URLs and long words, which may be secrets. */
export const withoutSecrets = (error: string): string =>
  (error.split('\n', 1)[0] ?? '').replace(URL_REST, '$1/…').replace(LONG_WORD, '…').slice(0, MAX_CHARACTERS)
