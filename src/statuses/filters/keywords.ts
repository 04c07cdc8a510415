import { c, query } from '../../platform/database/index.ts'
import { ApiError } from '../../core/errors.ts'
import { operation, param } from '../../platform/http/index.ts'
import { checkKeyword } from './errors.ts'
import { toKeyword } from './filter.ts'
import { withinLimits } from './limits.ts'
import { findFilter } from './show.ts'
import { findKeyword } from './show_v1.ts'

const COLUMNS = { id: c.id, keyword: c.text, whole_word: c.boolean, events: c.events } as const

const addQuery = query(
  'statuses/filters/add_keyword',
  { viewer: c.id, filter: c.id, keyword: c.text, whole_word: c.boolean },
  COLUMNS,
)
const changeQuery = query(
  'statuses/filters/change_keyword',
  { viewer: c.id, id: c.id, keyword: c.nullable(c.text), whole_word: c.nullable(c.boolean) },
  COLUMNS,
)
/** Removes a keyword of the caller; its filter remains. */
export const removeKeywordQuery = query(
  'statuses/filters/remove_keyword',
  { viewer: c.id, id: c.id },
  { id: c.id, events: c.events },
)

const MEANING = { description: 'at most 512 characters' } as const

const listKeywords = operation({
  method: 'GET',
  path: '/api/v2/filters/:filter_id/keywords',
  auth: 'user',
  scopes: ['read:filters'],
  summary: 'List the keywords of a filter',
  params: { filter_id: param.id() },
  returns: '[FilterKeyword]',
  async handle({ filter_id: filter }, { viewer, database }) {
    const found = await findFilter(database, viewer.id, filter)
    return found.keywords.map(toKeyword)
  },
})

const addKeyword = operation({
  method: 'POST',
  path: '/api/v2/filters/:filter_id/keywords',
  auth: 'user',
  scopes: ['write:filters'],
  summary: 'Add a keyword to a filter',
  requireRecord: (id, { viewer, database }) => findFilter(database, viewer.id, id),
  params: {
    filter_id: param.id(),
    keyword: param.string({ default: '', ...MEANING }),
    whole_word: param.boolean({ default: true }),
  },
  returns: 'FilterKeyword',
  async handle({ filter_id: filter, ...values }, { viewer, database }) {
    checkKeyword(values.keyword)
    const added = await withinLimits(database.one(addQuery, { viewer: viewer.id, filter, ...values }))
    if (!added) throw new ApiError('notFound')
    return toKeyword(added)
  },
})

const showKeyword = operation({
  method: 'GET',
  path: '/api/v2/filters/keywords/:id',
  auth: 'user',
  scopes: ['read:filters'],
  summary: 'Show a keyword of a filter',
  params: { id: param.id() },
  returns: 'FilterKeyword',
  handle: async ({ id }, { viewer, database }) => toKeyword(await findKeyword(database, viewer.id, id)),
})

const changeKeyword = operation({
  method: ['PUT', 'PATCH'],
  path: '/api/v2/filters/keywords/:id',
  auth: 'user',
  scopes: ['write:filters'],
  summary: 'Change a keyword; omitted attributes keep their values',
  requireRecord: (id, { viewer, database }) => findKeyword(database, viewer.id, id),
  params: {
    id: param.id(),
    keyword: param.string({ optional: true, ...MEANING }),
    whole_word: param.boolean({ optional: true }),
  },
  returns: 'FilterKeyword',
  async handle({ id, keyword, whole_word }, { viewer, database }) {
    if (keyword !== undefined) checkKeyword(keyword)
    const changed = await withinLimits(
      database.one(changeQuery, {
        viewer: viewer.id,
        id,
        keyword: keyword ?? null,
        whole_word: whole_word ?? null,
      }),
    )
    if (!changed) throw new ApiError('notFound')
    return toKeyword(changed)
  },
})

const removeKeyword = operation({
  method: 'DELETE',
  path: '/api/v2/filters/keywords/:id',
  auth: 'user',
  scopes: ['write:filters'],
  summary: 'Remove a keyword; its filter remains',
  params: { id: param.id() },
  returns: '{}',
  async handle({ id }, { viewer, database }) {
    if (!(await database.one(removeKeywordQuery, { viewer: viewer.id, id }))) throw new ApiError('notFound')
    return {}
  },
})

export const operations = [listKeywords, addKeyword, showKeyword, changeKeyword, removeKeyword]
