import { c, query, type Database } from '../platform/database/index.ts'
import type { Id } from '../core/id.ts'
import { normaliseTag } from '../core/text/index.ts'

const kinds = { exclude_reblogs: c.boolean, exclude_direct: c.boolean }
const limits = { viewer: c.nullable(c.id), account: c.id, max_id: c.nullable(c.id) }
const below = { ...limits, since_id: c.nullable(c.id), limit: c.integer }
const above = { ...limits, min_id: c.id, limit: c.integer }
const both = { ...limits, since_id: c.nullable(c.id), min_id: c.nullable(c.id), limit: c.integer }
const answering = { exclude_replies: c.boolean, ...kinds }
const row = { id: c.id }

const statusesOf = query('accounts/statuses_of', { ...below, ...kinds }, row)
const statusesAbove = query('accounts/statuses_of_above', { ...above, ...kinds }, row)
const withoutRepliesOf = query('accounts/without_replies_of', { ...below, ...kinds }, row)
const withoutRepliesAbove = query('accounts/without_replies_of_above', { ...above, ...kinds }, row)
const mediaOf = query('accounts/media_of', { ...below, ...answering }, row)
const mediaAbove = query('accounts/media_of_above', { ...above, ...answering }, row)
const pinnedOf = query('accounts/pinned_of', { ...both, ...answering, only_media: c.boolean }, row)
const taggedOf = query('accounts/tagged_of', { ...both, ...answering, only_media: c.boolean, tag: c.text }, row)

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
 * Each of the usual tabs of a profile has its own queries, which an index answers quickly even for
 * accounts with many posts.
 */
export async function findAccountStatuses(
  database: Database,
  parameters: AccountStatusesParameters,
): Promise<{ id: Id }[]> {
  const { exclude_replies, only_media, pinned, tagged, ...range } = parameters
  if (pinned) return database.run(pinnedOf, { ...range, exclude_replies, only_media })
  if (tagged !== undefined) {
    return database.run(taggedOf, { ...range, exclude_replies, only_media, tag: normaliseTag(tagged) })
  }
  const { min_id, ...page } = range
  if (min_id === null) {
    return only_media
      ? database.run(mediaOf, { ...page, exclude_replies })
      : database.run(exclude_replies ? withoutRepliesOf : statusesOf, page)
  }
  const cut = { ...page, min_id }
  const rows = only_media
    ? database.run(mediaAbove, { ...cut, exclude_replies })
    : database.run(exclude_replies ? withoutRepliesAbove : statusesAbove, cut)
  return (await rows).reverse()
}
