import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { c, query, type Database, type Row } from '../../platform/database/index.ts'

/** The columns of a list, which are also the members of the entity. */
export const LIST_COLUMNS = { id: c.id, title: c.text, replies_policy: c.text, exclusive: c.boolean } as const

const oneList = query('timelines/lists/one', { viewer: c.id, list: c.id }, LIST_COLUMNS)

/** A list of the viewer. @throws ApiError notFound */
export async function findList(database: Database, viewer: Id, list: Id): Promise<Row<typeof LIST_COLUMNS>> {
  const found = await database.one(oneList, { viewer, list })
  if (!found) throw new ApiError('notFound')
  return found
}

/** The entity List. */
export const toList = ({ id, title, replies_policy, exclusive }: Row<typeof LIST_COLUMNS>): object => ({
  id,
  title,
  replies_policy,
  exclusive,
})

const MAX_TITLE = 256

/** The rule for titles; the message is the same for a missing and for a blank one. */
export const TITLE = { max: MAX_TITLE, blank: 'refuse' } as const

export const REPLIES_POLICIES = ['followed', 'list', 'none'] as const

export const MEANING = {
  repliesPolicy: 'whose answers are shown: to followed accounts, to members, to nobody but the owner',
  exclusive: "members' statuses are kept out of home",
} as const
