import { c, query, type Database } from '../platform/database/index.ts'
import type { Id } from '../core/id.ts'
import { normaliseTag } from '../core/text/index.ts'

const cut = {
  viewer: c.nullable(c.id),
  account: c.id,
  max_id: c.nullable(c.id),
  since_id: c.nullable(c.id),
  min_id: c.nullable(c.id),
  limit: c.integer,
  exclude_reblogs: c.boolean,
  exclude_direct: c.boolean,
}

const statusesOf = query('accounts/statuses_of', cut, { id: c.id })
const withoutRepliesOf = query('accounts/without_replies_of', cut, { id: c.id })
const mediaOf = query('accounts/media_of', { ...cut, exclude_replies: c.boolean }, { id: c.id })
const filtered = { ...cut, exclude_replies: c.boolean, only_media: c.boolean }
const pinnedOf = query('accounts/pinned_of', filtered, { id: c.id })
const taggedOf = query('accounts/tagged_of', { ...filtered, tag: c.text }, { id: c.id })

/** The selection of an account's statuses. */
export interface AccountStatusesParameters {
  viewer: Id | null
  account: Id
  max_id: Id | null
  since_id: Id | null
  min_id: Id | null
  limit: number
  exclude_replies: boolean
  exclude_reblogs: boolean
  exclude_direct: boolean
  only_media: boolean
  pinned: boolean
  tagged: string | undefined
}

/**
 * Each of the usual tabs of a profile has its own query, which an index answers quickly even for
 * accounts with many posts.
 */
export function findAccountStatuses(database: Database, parameters: AccountStatusesParameters): Promise<{ id: Id }[]> {
  const { exclude_replies, only_media, pinned, tagged, ...range } = parameters
  if (pinned) return database.run(pinnedOf, { ...range, exclude_replies, only_media })
  if (tagged !== undefined) {
    return database.run(taggedOf, { ...range, exclude_replies, only_media, tag: normaliseTag(tagged) })
  }
  if (only_media) return database.run(mediaOf, { ...range, exclude_replies })
  return database.run(exclude_replies ? withoutRepliesOf : statusesOf, range)
}
