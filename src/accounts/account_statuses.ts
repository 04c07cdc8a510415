import { c, query } from '../database/index.ts'
import { cursorsOf, list, operation, page, param } from '../http/index.ts'
import type { Id } from '../id.ts'
import { renderStatuses } from '../statuses/index.ts'
import { normaliseTag } from '../text/index.ts'
import type { Database } from '../database/index.ts'
import { findAccount } from './known.ts'

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
const unansweringOf = query('accounts/unanswering_of', cut, { id: c.id })
const mediaOf = query('accounts/media_of', { ...cut, exclude_replies: c.boolean }, { id: c.id })
const filtered = { ...cut, exclude_replies: c.boolean, only_media: c.boolean }
const pinnedOf = query('accounts/pinned_of', filtered, { id: c.id })
const taggedOf = query('accounts/tagged_of', { ...filtered, tag: c.text }, { id: c.id })

interface Asked {
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

/** Each of the usual tabs of a profile has a statement of its own, which an index answers however long the account has been posting. */
function findStatuses(database: Database, asked: Asked): Promise<{ id: Id }[]> {
  const { exclude_replies, only_media, pinned, tagged, ...range } = asked
  if (pinned) return database.run(pinnedOf, { ...range, exclude_replies, only_media })
  if (tagged !== undefined) {
    return database.run(taggedOf, { ...range, exclude_replies, only_media, tag: normaliseTag(tagged) })
  }
  if (only_media) return database.run(mediaOf, { ...range, exclude_replies })
  return database.run(exclude_replies ? unansweringOf : statusesOf, range)
}

const KEPT = ['pinned', 'tagged', 'only_media', 'exclude_replies', 'exclude_reblogs']

export const accountStatuses = operation({
  method: 'GET',
  path: '/api/v1/accounts/:id/statuses',
  auth: 'optional',
  scopes: ['read:statuses'],
  cache: 'public',
  changesWith: ({ id }) => [id],
  params: {
    id: param.id(),
    max_id: param.cursor(),
    since_id: param.cursor(),
    min_id: param.cursor(),
    limit: param.limit(20),
    only_media: param.boolean({ default: false }),
    exclude_replies: param.boolean({ default: false }),
    exclude_reblogs: param.boolean({ default: false }),
    exclude_direct: param.boolean({ default: false }),
    pinned: param.boolean({ default: false }),
    tagged: param.string({ optional: true, blank: 'missing' }),
  },
  returns: '[Status]',
  summary: 'The statuses of an account',
  async handle({ id, max_id, since_id, min_id, ...asked }, context) {
    const { viewer, database, request } = context
    const account = await findAccount(context, viewer, id)
    if (account.suspended) return []
    const cuts = { max_id: max_id ?? null, since_id: since_id ?? null, min_id: min_id ?? null }
    const rows = await findStatuses(database, { viewer: viewer?.id ?? null, account: id, ...cuts, ...asked })
    const ids = rows.map(row => row.id)
    const rendered = await renderStatuses(context, viewer, ids)
    const items = list(ids.flatMap(status => rendered.get(status) ?? []))
    return page(
      items,
      cursorsOf(rows, row => row.id),
      request,
      { limit: asked.limit },
      { keep: KEPT },
    )
  },
})
