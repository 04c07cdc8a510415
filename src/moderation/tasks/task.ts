import type { Id } from '../../core/id.ts'
import { c, query, type Database, type Row, type Runner } from '../../platform/database/index.ts'
import { enqueue } from '../../platform/jobs/index.ts'
import { runTask } from './run.ts'
import { taskTurn, type TaskJob } from './task_job.ts'

const start = query(
  'moderation/tasks/start',
  {
    moderator: c.nullable(c.id),
    kind: c.text,
    target: c.nullable(c.id),
    domain: c.nullable(c.text),
    days: c.nullable(c.integer),
    widened: c.boolean,
    narrowed: c.boolean,
    action: c.text,
    target_type: c.text,
    also: c.nullable(c.text),
    name: c.text,
  },
  { id: c.id, recorded: c.integer },
)
const giveUp = query('moderation/tasks/give_up', { kind: c.text, before: c.timestamp }, {})
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
    narrowed: c.boolean,
    total_count: c.nullable(c.integer),
    done_count: c.integer,
    failed: c.boolean,
    created_at: c.timestamp,
    finished_at: c.nullable(c.timestamp),
    target: c.nullable(c.text),
    moderator: c.nullable(c.text),
  },
)

/** A task of this district. */
export type ModerationTask =
  | { readonly kind: 'follow_all' | 'unfollow_all'; readonly account: Id }
  /** `widened`: includes the subdomains. */
  | { readonly kind: 'purge_domain'; readonly domain: string; readonly widened: boolean }
  /**
   * `widened`: includes the pictures of link previews. `narrowed`: keeps the files of statuses that
   * somebody here has interacted with.
   */
  | { readonly kind: 'remove_media'; readonly days: number; readonly widened: boolean; readonly narrowed: boolean }
  /** `narrowed`: only previews of links, not of videos and photos. */
  | { readonly kind: 'remove_previews'; readonly days: number; readonly narrowed: boolean }
  /** `widened`: includes accounts with follows here. `narrowed`: only headers. */
  | { readonly kind: 'remove_pictures'; readonly days: number; readonly widened: boolean; readonly narrowed: boolean }
  /** `widened`: includes the statuses of accounts with local followers. */
  | { readonly kind: 'remove_statuses'; readonly days: number; readonly widened: boolean }
  /** `widened`: includes files that have a copy. */
  | { readonly kind: 'refresh_media'; readonly account: Id; readonly widened: boolean }
  | { readonly kind: 'refresh_media'; readonly domain: string; readonly widened: boolean }
  | { readonly kind: 'purge_emojis' | 'purge_remote_emojis' | 'purge_suspended_emojis' | 'prune_accounts' }
  | { readonly kind: 'remove_orphans' | 'recount_accounts' | 'recount_statuses' }

/** A task that runs in a later district, which has its own kind of job. */
export type FederationTask =
  | { readonly kind: 'cull_accounts' | 'refresh_accounts'; readonly domain?: string }
  | { readonly kind: 'refresh_accounts' | 'rotate_keys'; readonly account: Id }
  | { readonly kind: 'rotate_keys' }

type Task = ModerationTask | FederationTask

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
  remove_previews: ['purge', 'PreviewCard'],
  remove_pictures: ['purge', 'Media'],
  prune_accounts: ['purge', 'Account'],
  cull_accounts: ['purge', 'Account'],
  refresh_accounts: ['refresh', 'Account'],
  rotate_keys: ['rotate_keys', 'Account'],
  refresh_media: ['refresh', 'Media'],
  remove_orphans: ['purge', 'Media'],
  recount_accounts: ['recount', 'Account'],
  recount_statuses: ['recount', 'Status'],
}

/** The commands of ctl that do the same, which the audit log names for work on many accounts. */
const COMMANDS: Partial<Readonly<Record<Task['kind'], string>>> = {
  prune_accounts: 'accounts prune',
  cull_accounts: 'accounts cull',
  refresh_accounts: 'accounts refresh --all',
  rotate_keys: 'accounts rotate --all',
  remove_orphans: 'media remove-orphans',
  recount_accounts: 'cache recount accounts',
  recount_statuses: 'cache recount statuses',
}

/**
 * A rotation of keys that began earlier begins again: whoever starts one then wants new keys for
 * everybody. The attempts of a job take less.
 */
const RESUMED_WITHIN_MS = 2 * 86_400_000

/** What the audit log calls the target of a task; an account has its handle. */
function targetName(task: Task): string {
  if ('days' in task) return `${task.days} d`
  const domain = 'domain' in task ? task.domain : undefined
  if (task.kind === 'cull_accounts') return [COMMANDS.cull_accounts, domain].filter(Boolean).join(' ')
  if (task.kind === 'refresh_accounts' && domain !== undefined) return `accounts refresh --domain ${domain}`
  return domain ?? COMMANDS[task.kind] ?? ''
}

/**
 * Stores a task with an entry in the audit log. An unfinished task of the same kind and target
 * continues instead.
 * @param moderator whose permission the caller has checked; null for the operator
 * @returns its id; undefined when its account does not exist
 */
export async function storeTask(runner: Runner, moderator: Id | null, task: Task): Promise<Id | undefined> {
  const [action, target_type] = LOGGED[task.kind]
  if (task.kind === 'rotate_keys')
    await runner.run(giveUp, { kind: task.kind, before: new Date(Date.now() - RESUMED_WITHIN_MS) })
  const started = await runner.one(start, {
    moderator,
    kind: task.kind,
    target: 'account' in task ? task.account : null,
    domain: 'domain' in task ? (task.domain ?? null) : null,
    days: 'days' in task ? task.days : null,
    widened: 'widened' in task && task.widened,
    narrowed: 'narrowed' in task && task.narrowed,
    action,
    target_type,
    also: task.kind === 'remove_media' && task.widened ? 'PreviewCard' : null,
    name: targetName(task),
  })
  return started?.id
}

/**
 * Stores a task (see `storeTask`) and enqueues its job.
 * @returns false when its account does not exist
 */
export const enqueueTask = (database: Database, moderator: Id, task: Task, run: TaskJob): Promise<boolean> =>
  database.transaction(async transaction => {
    const id = await storeTask(transaction, moderator, task)
    if (id !== undefined) await enqueue(transaction, run, { task: id }, taskTurn(id))
    return id !== undefined
  })

/** Starts a task of this district: see `enqueueTask`. */
export const startTask = (database: Database, moderator: Id, task: ModerationTask): Promise<boolean> =>
  enqueueTask(database, moderator, task, runTask)

/** The latest tasks, newest first. */
export const listTasks = (runner: Runner, limit: number): Promise<StoredTask[]> => runner.run(list, { limit })
