import { c, query } from '../platform/database/index.ts'
import { job } from '../platform/jobs/index.ts'
import type { Services } from '../platform/services.ts'

const limit = { limit: c.integer } as const
const folds = [
  query('instance/fold_counters', limit, { folded: c.integer }),
  query('instance/fold_tag_servers', limit, { folded: c.integer }),
  query('instance/fold_tag_uses', limit, { folded: c.integer }),
]
const forget = query('instance/forget_activity', limit, { forgotten: c.integer })

/** Rows of a statement: each is short, because a long one delays the event log. */
const BATCH_SIZE = 2000

/** Adds up the daily counters, so that readers meet few rows. */
const foldCounters = job(
  'instance.fold_counters',
  () => null,
  async (_, { database }: Services) => {
    for (const fold of folds) {
      for (let folded = BATCH_SIZE; folded === BATCH_SIZE;) {
        folded = (await database.one(fold, { limit: BATCH_SIZE }))?.folded ?? 0
      }
    }
  },
  { cron: '*/10 * * * *', attempts: 1 },
)

/** Deletes figures that are no longer shown. */
const forgetActivity = job(
  'instance.forget_activity',
  () => null,
  async (_, { database }: Services) => {
    for (let forgotten = BATCH_SIZE; forgotten === BATCH_SIZE;) {
      forgotten = (await database.one(forget, { limit: BATCH_SIZE }))?.forgotten ?? 0
    }
  },
  { cron: '17 4 * * *', attempts: 3 },
)

export const jobs = [foldCounters, forgetActivity]
