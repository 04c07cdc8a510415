import { c, type Row } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'

/** A keyword as its entity has it. */
export interface FilterKeyword {
  id: Id
  keyword: string
  whole_word: boolean
}

/** A status that is listed in a filter, as its entity has it. */
export interface FilterStatus {
  id: Id
  status_id: Id
}

/** The columns of a filter with all that it matches by. */
export const FILTER_COLUMNS = {
  id: c.id,
  title: c.text,
  contexts: c.texts,
  action: c.text,
  expires_at: c.nullable(c.timestamp),
  keywords: c.json<FilterKeyword[]>(),
  statuses: c.json<FilterStatus[]>(),
} as const

/** The entity FilterKeyword. jsonb keeps members in an order of its own, so they are named. */
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

/** The columns of a keyword that is shown as a filter of the first version. */
export const KEYWORD_COLUMNS = {
  id: c.id,
  keyword: c.text,
  whole_word: c.boolean,
  contexts: c.texts,
  action: c.text,
  expires_at: c.nullable(c.timestamp),
} as const

/** The entity V1::Filter: filters of the first version are the keywords of today's. */
export const toFilterV1 = (row: Row<typeof KEYWORD_COLUMNS>): object => ({
  id: row.id,
  phrase: row.keyword,
  context: row.contexts,
  whole_word: row.whole_word,
  expires_at: row.expires_at,
  irreversible: row.action === 'hide',
})

/** What every answer about filters of the first version carries. */
export const DEPRECATED = { Deprecation: '@1668384000' } as const
