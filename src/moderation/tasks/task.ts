import type { Id } from '../../core/id.ts'
import { c, query, type Database, type Row, type Runner } from '../../platform/database/index.ts'
import { enqueue } from '../../platform/jobs/index.ts'
import { runTask } from './run.ts'

const start = query(
  'moderation/tasks/start',
  {
    moderator: c.id,
    kind: c.text,
    target: c.nullable(c.id),
    domain: c.nullable(c.text),
    days: c.nullable(c.integer),
    widened: c.boolean,
    action: c.text,
    target_type: c.text,
    also: c.nullable(c.text),
  },
  { id: c.id, recorded: c.integer },
)
const list = query(
  'moderation/tasks/list',
  { limit: c.integer },
  {
    id: c.id,
    kind: c.text,
    target_account_id: c.nullable(c.id),
    domain: c.nullable(c.text),
    days: c.nullable(c.integer),
    widened: c.boolean,
    total_count: c.nullable(c.integer),
    done_count: c.integer,
    failed: c.boolean,
    created_at: c.timestamp,
    finished_at: c.nullable(c.timestamp),
    target: c.nullable(c.text),
    moderator: c.nullable(c.text),
  },
)

/** A long-running task that the staff starts on a page. */
type Task =
  | { readonly kind: 'follow_all' | 'unfollow_all'; readonly account: Id }
  /** `widened`: includes the subdomains. */
  | { readonly kind: 'purge_domain'; readonly domain: string; readonly widened: boolean }
  /** `widened`: includes the pictures of link previews. */
  | { readonly kind: 'remove_media'; readonly days: number; readonly widened: boolean }
  /** `widened`: includes the statuses of accounts with local followers. */
  | { readonly kind: 'remove_statuses'; readonly days: number; readonly widened: boolean }
  | { readonly kind: 'purge_emojis' | 'purge_remote_emojis' | 'purge_suspended_emojis' }

/** A task with its progress. */
export type StoredTask = Row<typeof list.columns>

/** The entry in the audit log: the action and the type of its target. */
const LOGGED: Readonly<Record<Task['kind'], readonly [action: string, type: string]>> = {
  follow_all: ['follow_all', 'Account'],
  unfollow_all: ['unfollow_all', 'Account'],
  purge_domain: ['purge', 'Domain'],
  remove_media: ['purge', 'Media'],
  remove_statuses: ['purge', 'Status'],
  purge_emojis: ['purge', 'CustomEmoji'],
  purge_remote_emojis: ['purge', 'CustomEmoji'],
  purge_suspended_emojis: ['purge', 'CustomEmoji'],
}

/**
 * Starts a task in the background, with an entry in the audit log. An unfinished task of the same
 * kind and target continues instead.
 * @param moderator whose permission the caller has checked
 * @returns false when its account does not exist
 */
export const startTask = (database: Database, moderator: Id, task: Task): Promise<boolean> =>
  database.transaction(async transaction => {
    const [action, target_type] = LOGGED[task.kind]
    const started = await transaction.one(start, {
      moderator,
      kind: task.kind,
      target: 'account' in task ? task.account : null,
      domain: 'domain' in task ? task.domain : null,
      days: 'days' in task ? task.days : null,
      widened: 'widened' in task && task.widened,
      action,
      target_type,
      also: task.kind === 'remove_media' && task.widened ? 'PreviewCard' : null,
    })
    if (started) await enqueue(transaction, runTask, { task: started.id }, { key: `staff_tasks:${started.id}` })
    return started !== undefined
  })

/** The latest tasks, newest first. */
export const listTasks = (runner: Runner, limit: number): Promise<StoredTask[]> => runner.run(list, { limit })
