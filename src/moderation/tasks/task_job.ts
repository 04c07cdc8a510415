import type { Id } from '../../core/id.ts'
import { c, query, type Row } from '../../platform/database/index.ts'
import { idIn, job, type Job, type JobKind } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'

const find = query(
  'moderation/tasks/find',
  { task: c.id },
  {
    kind: c.text,
    moderator_id: c.nullable(c.id),
    target_account_id: c.nullable(c.id),
    domain: c.nullable(c.text),
    days: c.nullable(c.integer),
    widened: c.boolean,
    narrowed: c.boolean,
    total_count: c.nullable(c.integer),
    created_at: c.timestamp,
  },
)
const measure = query('moderation/tasks/measure', { task: c.id, total: c.integer }, {})
const advance = query('moderation/tasks/advance', { task: c.id, amount: c.integer }, {})
const finish = query('moderation/tasks/finish', { task: c.id, failed: c.boolean }, {})

/** Reports the progress of a running task. */
export interface TaskSteps {
  readonly signal: AbortSignal
  /** Stores the amount of work; only the first run's number counts. */
  measure(count: () => Promise<number>): Promise<void>
  /** Counts what is done. */
  each(amount: number): Promise<void>
}

/** A stored task that is not finished. */
export type UnfinishedTask = Row<typeof find.columns>

/** The job that runs a task. */
export type TaskJob = JobKind<{ task: Id }>

/**
 * Declares the job of some kinds of tasks. An interrupted run is repeated and skips finished work.
 */
export const taskJob = (
  name: string,
  work: (services: Services, found: UnfinishedTask, steps: TaskSteps) => Promise<void>,
): Job<{ task: Id }, Services> =>
  job(
    name,
    payload => ({ task: idIn(payload, 'task') }),
    async ({ task }, services, { signal, lastAttempt }) => {
      const { database } = services
      const found = await database.one(find, { task })
      if (!found) return
      try {
        await work(services, found, {
          signal,
          async measure(count) {
            if (found.total_count === null) await database.run(measure, { task, total: await count() })
          },
          async each(amount) {
            if (amount > 0) await database.run(advance, { task, amount })
          },
        })
      } catch (error) {
        if (lastAttempt) await database.run(finish, { task, failed: true })
        throw error
      }
      await database.run(finish, { task, failed: false })
    },
  )
