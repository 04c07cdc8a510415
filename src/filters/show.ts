import { c, query, type Row } from '../database/index.ts'
import { Failure } from '../failure.ts'
import { operation, param } from '../http/index.ts'
import type { Id } from '../id.ts'

const findOwn = query(
  'filters/own',
  { viewer: c.id, filter: c.nullable(c.id) },
  {
    id: c.id,
    title: c.text,
    contexts: c.texts,
    action: c.text,
    expires_at: c.nullable(c.timestamp),
    keywords: c.json<{ id: Id; keyword: string; whole_word: boolean }[]>(),
    statuses: c.json<{ id: Id; status_id: Id }[]>(),
  },
)

/** The entity Filter, with keywords and statuses. jsonb keeps members in an order of its own, so they are named. */
const renderFilter = (row: Row<typeof findOwn.columns>): object => ({
  id: row.id,
  title: row.title,
  context: row.contexts,
  expires_at: row.expires_at,
  filter_action: row.action,
  keywords: row.keywords.map(({ id, keyword, whole_word }) => ({ id, keyword, whole_word })),
  statuses: row.statuses.map(({ id, status_id }) => ({ id, status_id })),
})

export const showFilters = operation({
  method: 'GET',
  path: '/api/v2/filters',
  auth: 'user',
  scopes: ['read:filters'],
  summary: 'List the filters of the caller, expired ones too',
  params: {},
  returns: '[Filter]',
  handle: async (_, { viewer, database }) =>
    (await database.run(findOwn, { viewer: viewer.id, filter: null })).map(renderFilter),
})

export const showFilter = operation({
  method: 'GET',
  path: '/api/v2/filters/:id',
  auth: 'user',
  scopes: ['read:filters'],
  summary: 'Show a filter of the caller',
  params: { id: param.id() },
  returns: 'Filter',
  async handle({ id }, { viewer, database }) {
    const filter = await database.one(findOwn, { viewer: viewer.id, filter: id })
    if (!filter) throw new Failure('notFound')
    return renderFilter(filter)
  },
})
