import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { c, query, type Database } from '../../platform/database/index.ts'
import { idIn, job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { block, changePair, follow, mute, unfollow, type FollowOptions } from '../index.ts'

const PAGE = { migration: c.id, after: c.id } as const
const findFollowers = query('accounts/migration/followers', PAGE, {
  account_id: c.id,
  target_account_id: c.id,
  follower_id: c.id,
  show_reblogs: c.boolean,
  notify: c.boolean,
  languages: c.nullable(c.texts),
  decided: c.boolean,
})
const findMuters = query('accounts/migration/muters', PAGE, {
  target_account_id: c.id,
  muter_id: c.id,
  hide_notifications: c.boolean,
})
const findBlockers = query('accounts/migration/blockers', PAGE, { target_account_id: c.id, blocker_id: c.id })
const carryLists = query(
  'accounts/migration/carry_lists',
  { follower: c.id, account: c.id, target: c.id },
  { events: c.events },
)

/**
 * Whether the follow was created: the target may block the follower, or the follower may have
 * reached the limit of follows.
 */
async function followTarget(
  { config, database }: Services,
  follower: Id,
  target: Id,
  options: FollowOptions,
): Promise<boolean> {
  try {
    await changePair(database, follower, target, transaction => follow(transaction, config, follower, target, options))
    return true
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) return false
    throw error
  }
}

async function carryBlocks(database: Database, migration: Id): Promise<void> {
  for (let after: Id = '0'; ;) {
    const blockers = await database.run(findBlockers, { migration, after })
    for (const { blocker_id: blocker, target_account_id: target } of blockers) await block(database, blocker, target)
    const last = blockers.at(-1)
    if (!last) return
    after = last.blocker_id
  }
}

/**
 * Moves the local followers of an account to the target of its move, with options, lists and notes;
 * accounts that block or mute it do so with the target too. Those that follow the target already,
 * or ask to, keep the options that they chose, and neither block nor mute it.
 */
export const moveFollowers = job<{ migration: Id }, Services>(
  'accounts.move_followers',
  payload => ({ migration: idIn(payload, 'migration') }),
  async ({ migration }, services, { signal }) => {
    const { database } = services
    await carryBlocks(database, migration)
    for (let after: Id = '0'; ;) {
      const muters = await database.run(findMuters, { migration, after })
      for (const { muter_id: muter, target_account_id: target, hide_notifications: notifications } of muters)
        await mute(database, muter, target, { notifications })
      const last = muters.at(-1)
      if (!last) break
      after = last.muter_id
    }
    for (let after: Id = '0'; ;) {
      const followers = await database.run(findFollowers, { migration, after })
      for (const { account_id: account, target_account_id: target, follower_id: follower, ...kept } of followers) {
        signal.throwIfAborted()
        if (follower === target) continue
        const { show_reblogs: reblogs, notify, languages, decided } = kept
        const options = decided ? {} : { reblogs, notify, languages }
        if (!(await followTarget(services, follower, target, options))) continue
        await database.run(carryLists, { follower, account, target })
        await unfollow(database, follower, account)
      }
      const last = followers.at(-1)
      if (!last) return
      after = last.follower_id
    }
  },
)
