import { c, query, type Row } from '../database/index.ts'
import { Failure } from '../failure.ts'
import { operation, param } from '../http/index.ts'

const findKeywords = query(
  'filters/own_keywords',
  { viewer: c.id, keyword: c.nullable(c.id) },
  {
    id: c.id,
    keyword: c.text,
    whole_word: c.boolean,
    contexts: c.texts,
    action: c.text,
    expires_at: c.nullable(c.timestamp),
  },
)

/** Filters of the first version are the keywords of today's. */
const renderKeyword = (row: Row<typeof findKeywords.columns>): object => ({
  id: row.id,
  phrase: row.keyword,
  context: row.contexts,
  whole_word: row.whole_word,
  expires_at: row.expires_at,
  irreversible: row.action === 'hide',
})

const DEPRECATED = { Deprecation: '@1668384000' }

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
    (await database.run(findKeywords, { viewer: viewer.id, keyword: null })).map(renderKeyword),
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
  async handle({ id }, { viewer, database }) {
    const keyword = await database.one(findKeywords, { viewer: viewer.id, keyword: id })
    if (!keyword) throw new Failure('notFound')
    return renderKeyword(keyword)
  },
})
