import { c, type Row } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'

/** A keyword, with the members of its entity. */
export interface FilterKeyword {
  id: Id
  keyword: string
  whole_word: boolean
}

/** A status in a filter, with the members of its entity. */
export interface FilterStatus {
  id: Id
  status_id: Id
}

/** The columns of a filter with its keywords and statuses. */
export const FILTER_COLUMNS = {
  id: c.id,
  title: c.text,
  contexts: c.texts,
  action: c.text,
  expires_at: c.nullable(c.timestamp),
  keywords: c.json<FilterKeyword[]>(),
  statuses: c.json<FilterStatus[]>(),
} as const

/** The entity FilterKeyword. jsonb reorders members, so they are listed. */
export const toKeyword = ({ id, keyword, whole_word }: FilterKeyword): FilterKeyword => ({ id, keyword, whole_word })

/** The entity FilterStatus. */
export const toFilterStatus = ({ id, status_id }: FilterStatus): FilterStatus => ({ id, status_id })

/** The entity Filter, with keywords and statuses. */
export const toFilter = (row: Row<typeof FILTER_COLUMNS>): object => ({
  id: row.id,
  title: row.title,
  context: row.contexts,
  expires_at: row.expires_at,
  filter_action: row.action,
  keywords: row.keywords.map(toKeyword),
  statuses: row.statuses.map(toFilterStatus),
})

/** The columns of a keyword that is shown as a V1::Filter. */
export const KEYWORD_COLUMNS = {
  id: c.id,
  keyword: c.text,
  whole_word: c.boolean,
  contexts: c.texts,
  action: c.text,
  expires_at: c.nullable(c.timestamp),
} as const

/** The entity V1::Filter: a filter of version 1 is a keyword of version 2. */
export const toFilterV1 = (row: Row<typeof KEYWORD_COLUMNS>): object => ({
  id: row.id,
  phrase: row.keyword,
  context: row.contexts,
  whole_word: row.whole_word,
  expires_at: row.expires_at,
  irreversible: row.action === 'hide',
})

/** The header of every response about filters of version 1. */
export const DEPRECATED = { Deprecation: '@1668384000' } as const
