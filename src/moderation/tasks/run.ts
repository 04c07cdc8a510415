import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { accountsToPurge, purge } from '../domain_rules/index.ts'
import {
  countCachedMedia,
  countRemoteStatuses,
  countUnrelatedAccounts,
  pruneAccounts,
  removeCachedMedia,
  removeCardImages,
  removeCopiedPictures,
  removeRemoteStatuses,
} from '../retention/index.ts'
import { countPurgedEmojis, purgeEmojis, type PurgedEmojis } from './emojis.ts'
import { followAll, unfollowAll } from './follows.ts'
import { taskJob, type TaskSteps, type UnfinishedTask } from './task_job.ts'

const countToFollow = query('moderation/tasks/count_to_follow', { target: c.id }, { number: c.integer })
const countFollowers = query('moderation/tasks/count_followers', { target: c.id }, { number: c.integer })
const DAY_MS = 86_400_000
const EMOJI_PURGES = new Map<string, PurgedEmojis>([
  ['purge_emojis', 'all'],
  ['purge_remote_emojis', 'remote'],
  ['purge_suspended_emojis', 'suspended'],
])
const STATUSES_AT_ONCE = 500

/** The removal of copied files and old statuses. */
async function removeOld(services: Services, found: UnfinishedTask, steps: TaskSteps): Promise<void> {
  const { database } = services
  const { kind, days, widened, narrowed } = found
  const { signal, measure: total, each } = steps
  const before = new Date(found.created_at.getTime() - (days ?? 0) * DAY_MS)
  const removal = { before, signal, each: (records: readonly unknown[]) => each(records.length) }
  if (kind === 'remove_media') {
    await total(() => countCachedMedia(database, before))
    await removeCachedMedia(services, { ...removal, keepInteracted: narrowed })
    if (widened) await removeCardImages(services, removal)
  } else if (kind === 'remove_previews') {
    await removeCardImages(services, { ...removal, linksOnly: narrowed })
  } else if (kind === 'remove_pictures') {
    await removeCopiedPictures(services, { ...removal, headersOnly: narrowed, includeFollows: widened })
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

async function work(services: Services, found: UnfinishedTask, steps: TaskSteps): Promise<void> {
  const { database } = services
  const { kind, target_account_id: target, domain, widened } = found
  const { signal, measure: total, each } = steps
  const emojis = EMOJI_PURGES.get(kind)
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
  } else if (kind === 'prune_accounts') {
    await total(() => countUnrelatedAccounts(database))
    await pruneAccounts(services, { concurrency: 1, signal, each: () => each(1) })
  } else await removeOld(services, found, steps)
}

/** Runs the tasks of this district. */
export const runTask = taskJob('staff_tasks.run', work)
