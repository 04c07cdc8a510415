import type { Id } from '../../core/id.ts'
import { c, query, type Database } from '../../platform/database/index.ts'
import { firstDay } from '../../timelines/tags/index.ts'

/** The decisions by which a list can be filtered. */
export const STATES = ['pending', 'approved', 'rejected', 'all'] as const
export type State = (typeof STATES)[number]

const rangeColumns = { limit: c.integer, offset: c.integer } as const
const useColumns = { score: c.float, uses: c.integer, accounts: c.integer } as const
const tagsQuery = query(
  'administration/trends/tags',
  { state: c.text, first: c.date, ...rangeColumns },
  {
    id: c.id,
    display_name: c.text,
    trendable: c.nullable(c.boolean),
    usable: c.boolean,
    requested: c.boolean,
    ...useColumns,
  },
)
const linksQuery = query(
  'administration/trends/links',
  { state: c.text, first: c.date, ...rangeColumns },
  {
    id: c.id,
    url: c.text,
    title: c.text,
    provider_name: c.text,
    trendable: c.nullable(c.boolean),
    publisher: c.nullable(c.text),
    publisher_trendable: c.nullable(c.boolean),
    ...useColumns,
  },
)
const statusesQuery = query(
  'administration/trends/statuses',
  { state: c.text, ...rangeColumns },
  {
    id: c.id,
    account_id: c.id,
    trendable: c.nullable(c.boolean),
    author_trendable: c.nullable(c.boolean),
    requested: c.boolean,
    score: c.float,
  },
)
const publishersQuery = query(
  'administration/trends/publishers',
  { state: c.text, domain: c.text, ...rangeColumns },
  { id: c.id, domain: c.text, trendable: c.nullable(c.boolean), requested: c.boolean },
)
const parentsQuery = query(
  'administration/trends/publishers_and_authors',
  { links: c.ids, statuses: c.ids },
  { id: c.id },
)

interface OffsetRange {
  readonly limit: number
  readonly offset: number
}

export const listTrendingTags = (database: Database, state: State, range: OffsetRange) =>
  database.run(tagsQuery, { state, first: firstDay(Date.now()), ...range })

export const listTrendingLinks = (database: Database, state: State, range: OffsetRange) =>
  database.run(linksQuery, { state, first: firstDay(Date.now()), ...range })

export const listTrendingStatuses = (database: Database, state: State, range: OffsetRange) =>
  database.run(statusesQuery, { state, ...range })

/** @param domain a substring of the name */
export const listPublishers = (database: Database, state: State, domain: string, range: OffsetRange) =>
  database.run(publishersQuery, { state, domain, ...range })

export const findPublishersOfLinks = async (database: Database, ids: readonly Id[]): Promise<Id[]> =>
  (await database.run(parentsQuery, { links: [...ids], statuses: [] })).map(({ id }) => id)

export const findAuthorsOfStatuses = async (database: Database, ids: readonly Id[]): Promise<Id[]> =>
  (await database.run(parentsQuery, { links: [], statuses: [...ids] })).map(({ id }) => id)
