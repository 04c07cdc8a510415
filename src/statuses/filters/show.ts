import { c, query, type Database, type Row } from '../../platform/database/index.ts'
import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { operation, param } from '../../platform/http/index.ts'
import { FILTER_COLUMNS, toFilter } from './filter.ts'

/** The caller's filters, or one of them. */
export const findOwn = query('statuses/filters/own', { viewer: c.id, filter: c.nullable(c.id) }, FILTER_COLUMNS)

/** A filter of the caller. @throws ApiError notFound */
export async function findFilter(database: Database, viewer: Id, id: Id): Promise<Row<typeof FILTER_COLUMNS>> {
  const filter = await database.one(findOwn, { viewer, filter: id })
  if (!filter) throw new ApiError('notFound')
  return filter
}

export const showFilters = operation({
  method: 'GET',
  path: '/api/v2/filters',
  auth: 'user',
  scopes: ['read:filters'],
  summary: 'List the filters of the caller, expired ones too',
  params: {},
  returns: '[Filter]',
  handle: async (_, { viewer, database }) =>
    (await database.run(findOwn, { viewer: viewer.id, filter: null })).map(toFilter),
})

export const showFilter = operation({
  method: 'GET',
  path: '/api/v2/filters/:id',
  auth: 'user',
  scopes: ['read:filters'],
  summary: 'Show a filter of the caller',
  params: { id: param.id() },
  returns: 'Filter',
  handle: async ({ id }, { viewer, database }) => toFilter(await findFilter(database, viewer.id, id)),
})
