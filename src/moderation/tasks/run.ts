import type { Id } from '../../core/id.ts'
import { c, query, type Row } from '../../platform/database/index.ts'
import { idIn, job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { accountsToPurge, purge } from '../domain_rules/index.ts'
import {
  countCachedMedia,
  countRemoteStatuses,
  removeCachedMedia,
  removeCardImages,
  removeRemoteStatuses,
} from '../retention/index.ts'
import { countPurgedEmojis, purgeEmojis, type PurgedEmojis } from './emojis.ts'
import { followAll, unfollowAll } from './follows.ts'

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
    total_count: c.nullable(c.integer),
    created_at: c.timestamp,
  },
)
const countToFollow = query('moderation/tasks/count_to_follow', { target: c.id }, { number: c.integer })
const countFollowers = query('moderation/tasks/count_followers', { target: c.id }, { number: c.integer })
const measure = query('moderation/tasks/measure', { task: c.id, total: c.integer }, {})
const advance = query('moderation/tasks/advance', { task: c.id, amount: c.integer }, {})
const finish = query('moderation/tasks/finish', { task: c.id, failed: c.boolean }, {})

const DAY_MS = 86_400_000
const EMOJI_PURGES = new Map<string, PurgedEmojis>([
  ['purge_emojis', 'all'],
  ['purge_remote_emojis', 'remote'],
  ['purge_suspended_emojis', 'suspended'],
])
const STATUSES_AT_ONCE = 500

/** Reports the progress of a running task. */
interface Steps {
  readonly signal: AbortSignal
  /** Stores the amount of work; only the first run's number counts. */
  measure(count: () => Promise<number>): Promise<void>
  /** Counts what is done. */
  each(amount: number): Promise<void>
}

type Found = Row<typeof find.columns>

async function work(services: Services, found: Found, { signal, measure: total, each }: Steps): Promise<void> {
  const { database } = services
  const { kind, target_account_id: target, domain, days, widened } = found
  const emojis = EMOJI_PURGES.get(kind)
  const before = new Date(found.created_at.getTime() - (days ?? 0) * DAY_MS)
  if (emojis !== undefined) {
    await total(async () => (await countPurgedEmojis(database, emojis, 1))[0]?.total ?? 0)
    await purgeEmojis(services, found.moderator_id, emojis, { signal, each })
  } else if (target !== null && kind === 'follow_all') {
    await total(async () => (await database.one(countToFollow, { target }))?.number ?? 0)
    await followAll(database, target, { signal, each })
  } else if (target !== null && kind === 'unfollow_all') {
    await total(async () => (await database.one(countFollowers, { target }))?.number ?? 0)
    await unfollowAll(database, target, { signal, each })
  } else if (domain !== null && kind === 'purge_domain') {
    const purged = { domain, below: widened }
    await total(async () => (await accountsToPurge(database, purged)).length)
    await purge(services, purged, { signal, each: () => each(1) })
  } else if (kind === 'remove_media') {
    await total(() => countCachedMedia(database, before))
    const removal = { before, signal, each: (records: readonly unknown[]) => each(records.length) }
    await removeCachedMedia(services, removal)
    if (widened) await removeCardImages(services, removal)
  } else if (kind === 'remove_statuses') {
    await total(() => countRemoteStatuses(database, before))
    await removeRemoteStatuses(database, {
      before,
      batchSize: STATUSES_AT_ONCE,
      cleanFollowed: widened,
      signal,
      each,
    })
  }
}

/** Runs a task of the staff. An interrupted run is repeated and skips finished work. */
export const runTask = job<{ task: Id }, Services>(
  'staff_tasks.run',
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
