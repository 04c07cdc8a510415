import { c, query, type Database, type Row } from '../../platform/database/index.ts'
import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { operation, param } from '../../platform/http/index.ts'
import { DEPRECATED, KEYWORD_COLUMNS, toFilterV1 } from './filter.ts'

/** The keywords of the caller's filters, or one of them. */
const findKeywords = query(
  'statuses/filters/own_keywords',
  { viewer: c.id, keyword: c.nullable(c.id) },
  KEYWORD_COLUMNS,
)

/** A keyword of one of the caller's filters. @throws ApiError notFound */
export async function findKeyword(database: Database, viewer: Id, id: Id): Promise<Row<typeof KEYWORD_COLUMNS>> {
  const keyword = await database.one(findKeywords, { viewer, keyword: id })
  if (!keyword) throw new ApiError('notFound')
  return keyword
}

export const showFiltersV1 = operation({
  method: 'GET',
  path: '/api/v1/filters',
  auth: 'user',
  scopes: ['read:filters'],
  summary: 'List the keywords of the filters of the caller, as older clients read them',
  params: {},
  returns: '[V1::Filter]',
  headers: DEPRECATED,
  handle: async (_, { viewer, database }) =>
    (await database.run(findKeywords, { viewer: viewer.id, keyword: null })).map(toFilterV1),
})

export const showFilterV1 = operation({
  method: 'GET',
  path: '/api/v1/filters/:id',
  auth: 'user',
  scopes: ['read:filters'],
  summary: 'Show a keyword of a filter of the caller, as older clients read it',
  params: { id: param.id() },
  returns: 'V1::Filter',
  headers: DEPRECATED,
  handle: async ({ id }, { viewer, database }) => toFilterV1(await findKeyword(database, viewer.id, id)),
})
