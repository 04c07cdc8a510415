import { c, query, type Database, type Row } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'

const POLICY = {
  enabled: c.boolean,
  min_age_days: c.integer,
  keep_direct: c.boolean,
  keep_pinned: c.boolean,
  keep_polls: c.boolean,
  keep_media: c.boolean,
  keep_own_favourites: c.boolean,
  keep_own_bookmarks: c.boolean,
  min_favourites: c.nullable(c.integer),
  min_reblogs: c.nullable(c.integer),
} as const

const findPolicy = query('statuses/automated_deletion/policy', { account: c.id }, POLICY)
const setPolicy = query('statuses/automated_deletion/set_policy', { account: c.id, ...POLICY }, { events: c.events })

/** Which old statuses of an account are deleted. */
export type DeletionPolicy = Row<typeof POLICY>

/** The ages to choose from, in days. */
export const AGES_DAYS = [7, 14, 30, 60, 90, 180, 365, 730] as const

const NONE: DeletionPolicy = {
  enabled: false,
  min_age_days: 14,
  keep_direct: true,
  keep_pinned: true,
  keep_polls: false,
  keep_media: false,
  keep_own_favourites: true,
  keep_own_bookmarks: true,
  min_favourites: null,
  min_reblogs: null,
}

/** The policy of an account; a disabled one if it never chose. */
export const findDeletionPolicy = async (database: Database, account: Id): Promise<DeletionPolicy> =>
  (await database.one(findPolicy, { account })) ?? NONE

export async function setDeletionPolicy(database: Database, account: Id, policy: DeletionPolicy): Promise<void> {
  await database.run(setPolicy, { account, ...policy })
}
