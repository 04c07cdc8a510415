import type { Id } from '../../core/id.ts'
import { c, query, type Row } from '../../platform/database/index.ts'
import { enqueue, idIn, job, type Job, type JobKind } from '../../platform/jobs/index.ts'
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
    done_count: c.integer,
    created_at: c.timestamp,
  },
)
const measure = query('moderation/tasks/measure', { task: c.id, total: c.integer }, {})
const advance = query('moderation/tasks/advance', { task: c.id, amount: c.integer }, {})
const finish = query(
  'moderation/tasks/finish',
  { task: c.id, failed: c.boolean, widened: c.boolean, narrowed: c.boolean },
  { id: c.id },
)

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

/** Does a task; it skips what an interrupted run has done. */
export type TaskWork = (services: Services, found: UnfinishedTask, steps: TaskSteps) => Promise<void>

/**
 * Does a task of a kind, and stores its progress; only the caller stores that it failed. When
 * somebody has started it meanwhile with more, it does that, too.
 */
async function perform(
  services: Services,
  { task, found, work }: { task: Id; found: UnfinishedTask; work: TaskWork },
  signal: AbortSignal,
  onStep?: (amount: number) => void,
): Promise<void> {
  const { database } = services
  for (let next: UnfinishedTask | undefined = found; next;) {
    const { widened, narrowed, total_count: counted } = next
    await work(services, next, {
      signal,
      async measure(count) {
        if (counted === null) await database.run(measure, { task, total: await count() })
      },
      async each(amount) {
        onStep?.(amount)
        if (amount > 0) await database.run(advance, { task, amount })
      },
    })
    if (await database.one(finish, { task, failed: false, widened, narrowed })) return
    next = await database.one(find, { task })
  }
}

interface TaskRun {
  readonly work: TaskWork
  /** Called before the work begins, or goes on. */
  begun(found: UnfinishedTask): void
  /** Called with the amount of work that was done. */
  each(amount: number): void
}

/**
 * Does a stored task in this process, without a job. When the process ends before it is done, the
 * next start of the same task continues it.
 */
export async function performTask(services: Services, task: Id, { work, begun, each }: TaskRun): Promise<void> {
  const found = await services.database.one(find, { task })
  if (!found) return
  begun(found)
  await perform(services, { task, found, work }, new AbortController().signal, each)
}

/** During a rolling restart a task of an unknown kind comes back after this time. */
const LEFT_MS = 5000

/**
 * The key and queue of a task's job: one waits at most, and only one runs. A job that runs does not
 * keep its key, so that a second start adds another one.
 */
export const taskTurn = (task: Id): { key: string; queue: string } => {
  const key = `staff_tasks:${task}`
  return { key, queue: key }
}

/**
 * Declares the job of some kinds of tasks. An interrupted run is repeated. A task of another kind
 * is of a later release, whose processes run beside this one: it is left to them.
 */
export function taskJob(name: string, kinds: Readonly<Record<string, TaskWork>>): Job<{ task: Id }, Services> {
  const works = new Map(Object.entries(kinds))
  const run: Job<{ task: Id }, Services> = job(
    name,
    payload => ({ task: idIn(payload, 'task') }),
    async ({ task }, services, { signal, lastAttempt }) => {
      const { database } = services
      const found = await database.one(find, { task })
      if (!found) return
      const work = works.get(found.kind)
      if (!work) {
        await enqueue(database, run, { task }, { ...taskTurn(task), at: new Date(Date.now() + LEFT_MS) })
        return
      }
      try {
        await perform(services, { task, found, work }, signal)
      } catch (error) {
        const { widened, narrowed } = found
        if (lastAttempt) await database.run(finish, { task, failed: true, widened, narrowed })
        throw error
      }
    },
  )
  return run
}
