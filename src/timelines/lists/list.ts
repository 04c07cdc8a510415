import { c, query, type Row } from '../../platform/database/index.ts'

/** The columns of a list, which are also the entity's members (api/entities/List.json). */
export const LIST_COLUMNS = { id: c.id, title: c.text, replies_policy: c.text, exclusive: c.boolean } as const

export const findList = query('timelines/lists/one', { viewer: c.id, list: c.id }, LIST_COLUMNS)

/** The entity List. */
export const toList = ({ id, title, replies_policy, exclusive }: Row<typeof LIST_COLUMNS>): object => ({
  id,
  title,
  replies_policy,
  exclusive,
})

const TITLE_MOST = 256

/** What a title may be; the message is the same whether it is required or not. */
export const TITLE = { max: TITLE_MOST, blank: 'refuse' } as const

export const REPLIES_POLICIES = ['followed', 'list', 'none'] as const

export const MEANING = {
  repliesPolicy: 'whose answers are shown: to followed accounts, to members, to nobody but the owner',
  exclusive: "members' statuses are kept out of home",
} as const
