import type { Id } from '../../core/id.ts'
import { c, query, type Database } from '../../platform/database/index.ts'
import { firstDay } from '../../timelines/tags/index.ts'

/** The decisions to choose from above a list. */
export const STATES = ['pending', 'approved', 'rejected', 'all'] as const
export type State = (typeof STATES)[number]

const part = { limit: c.integer, offset: c.integer } as const
const use = { score: c.float, uses: c.integer, accounts: c.integer } as const
const tags = query(
  'administration/trends/tags',
  { state: c.text, first: c.date, ...part },
  { id: c.id, display_name: c.text, trendable: c.nullable(c.boolean), usable: c.boolean, requested: c.boolean, ...use },
)
const links = query(
  'administration/trends/links',
  { state: c.text, first: c.date, ...part },
  {
    id: c.id,
    url: c.text,
    title: c.text,
    provider_name: c.text,
    trendable: c.nullable(c.boolean),
    publisher: c.nullable(c.text),
    publisher_trendable: c.nullable(c.boolean),
    ...use,
  },
)
const statuses = query(
  'administration/trends/statuses',
  { state: c.text, ...part },
  {
    id: c.id,
    account_id: c.id,
    trendable: c.nullable(c.boolean),
    author_trendable: c.nullable(c.boolean),
    score: c.float,
  },
)
const publishers = query(
  'administration/trends/publishers',
  { state: c.text, domain: c.text, ...part },
  { id: c.id, domain: c.text, trendable: c.nullable(c.boolean), requested: c.boolean },
)
const parents = query('administration/trends/parents', { links: c.ids, statuses: c.ids }, { id: c.id })

interface Part {
  readonly limit: number
  readonly offset: number
}

export const risingTags = (database: Database, state: State, range: Part) =>
  database.run(tags, { state, first: firstDay(Date.now()), ...range })

export const risingLinks = (database: Database, state: State, range: Part) =>
  database.run(links, { state, first: firstDay(Date.now()), ...range })

export const risingStatuses = (database: Database, state: State, range: Part) =>
  database.run(statuses, { state, ...range })

/** @param domain a part of the name */
export const knownPublishers = (database: Database, state: State, domain: string, range: Part) =>
  database.run(publishers, { state, domain, ...range })

export const publishersOf = async (database: Database, ids: readonly Id[]): Promise<Id[]> =>
  (await database.run(parents, { links: [...ids], statuses: [] })).map(({ id }) => id)

export const authorsOf = async (database: Database, ids: readonly Id[]): Promise<Id[]> =>
  (await database.run(parents, { links: [], statuses: [...ids] })).map(({ id }) => id)
