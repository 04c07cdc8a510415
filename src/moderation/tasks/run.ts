import { c, query } from '../../platform/database/index.ts'
import { accountsToPurge, purge } from '../domain_rules/index.ts'
import {
  countCachedMedia,
  countRemoteStatuses,
  countUnrelatedAccounts,
  forEachOrphan,
  pruneAccounts,
  refreshMedia,
  removeCachedMedia,
  removeCardImages,
  removeCopiedPictures,
  removeRemoteStatuses,
} from '../retention/index.ts'
import { countPurgedEmojis, purgeEmojis, type PurgedEmojis } from './emojis.ts'
import { followAll, unfollowAll } from './follows.ts'
import { recount, type Counted } from './recount.ts'
import type { ModerationTask } from './task.ts'
import { taskJob, type TaskSteps, type TaskWork, type UnfinishedTask } from './task_job.ts'

const countToFollow = query('moderation/tasks/count_to_follow', { target: c.id }, { number: c.integer })
const countFollowers = query('moderation/tasks/count_followers', { target: c.id }, { number: c.integer })
const DAY_MS = 86_400_000
const STATUSES_AT_ONCE = 500
/** The default of the same command of ctl. */
const COPIES_AT_ONCE = 5

/** What a removal of copied files or old statuses needs. */
function removalOf({ created_at: start, days }: UnfinishedTask, { signal, each }: TaskSteps) {
  const before = new Date(start.getTime() - (days ?? 0) * DAY_MS)
  return { before, signal, each: (records: readonly unknown[]) => each(records.length) }
}

const removeMedia: TaskWork = async (services, found, steps) => {
  const removal = removalOf(found, steps)
  await steps.measure(() => countCachedMedia(services.database, removal.before))
  await removeCachedMedia(services, { ...removal, keepInteracted: found.narrowed })
  if (found.widened) await removeCardImages(services, removal)
}

const removePreviews: TaskWork = (services, found, steps) =>
  removeCardImages(services, { ...removalOf(found, steps), linksOnly: found.narrowed })

const removePictures: TaskWork = (services, found, steps) =>
  removeCopiedPictures(services, {
    ...removalOf(found, steps),
    headersOnly: found.narrowed,
    includeFollows: found.widened,
  })

const removeStatuses: TaskWork = async ({ database }, found, steps) => {
  const { before } = removalOf(found, steps)
  await steps.measure(() => countRemoteStatuses(database, before))
  const { signal, each } = steps
  await removeRemoteStatuses(database, {
    before,
    batchSize: STATUSES_AT_ONCE,
    cleanFollowed: found.widened,
    signal,
    each,
  })
}

const emojiPurge =
  (emojis: PurgedEmojis): TaskWork =>
  async (services, { moderator_id: moderator }, { signal, measure, each }) => {
    await measure(async () => (await countPurgedEmojis(services.database, emojis, 1))[0]?.total ?? 0)
    await purgeEmojis(services, moderator, emojis, { signal, each })
  }

const followOrUnfollow =
  (change: typeof followAll, count: typeof countToFollow): TaskWork =>
  async ({ database }, { target_account_id: target }, { signal, measure, each }) => {
    if (target === null) throw new Error('the task has no account')
    await measure(async () => (await database.one(count, { target }))?.number ?? 0)
    await change(database, target, { signal, each })
  }

const purgeDomain: TaskWork = async (services, { domain, widened: below }, { signal, measure, each }) => {
  if (domain === null) throw new Error('the task has no domain')
  const purged = { domain, below }
  await measure(async () => (await accountsToPurge(services.database, purged)).length)
  await purge(services, purged, { signal, each: () => each(1) })
}

const prune: TaskWork = async (services, _, { signal, measure, each }) => {
  await measure(() => countUnrelatedAccounts(services.database))
  await pruneAccounts(services, { concurrency: 1, signal, each: () => each(1) })
}

const refresh: TaskWork = async (services, { target_account_id: account, domain, widened }, { signal, ...steps }) => {
  const source = { status: null, account, domain, since: null, forced: widened }
  await refreshMedia(services, { source, concurrency: COPIES_AT_ONCE, signal, each: () => steps.each(1) })
}

const removeOrphans: TaskWork = ({ database, storage }, _, { signal, each }) =>
  forEachOrphan(
    { database, storage },
    () => signal.throwIfAborted(),
    async key => {
      await storage.remove(key)
      await each(1)
    },
  )

const recounting =
  (type: Counted): TaskWork =>
  ({ database }, _, { signal, each }) =>
    recount(database, type, { signal, each })

const WORKS: Readonly<Record<ModerationTask['kind'], TaskWork>> = {
  follow_all: followOrUnfollow(followAll, countToFollow),
  unfollow_all: followOrUnfollow(unfollowAll, countFollowers),
  purge_domain: purgeDomain,
  remove_media: removeMedia,
  remove_previews: removePreviews,
  remove_pictures: removePictures,
  remove_statuses: removeStatuses,
  purge_emojis: emojiPurge('all'),
  purge_remote_emojis: emojiPurge('remote'),
  purge_suspended_emojis: emojiPurge('suspended'),
  prune_accounts: prune,
  refresh_media: refresh,
  remove_orphans: removeOrphans,
  recount_accounts: recounting('accounts'),
  recount_statuses: recounting('statuses'),
}

/** Runs the tasks of this district. */
export const runTask = taskJob('staff_tasks.run', WORKS)
