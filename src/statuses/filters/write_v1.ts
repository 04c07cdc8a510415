import { c, query } from '../../platform/database/index.ts'
import { ApiError, validationError } from '../../core/errors.ts'
import { operation, param } from '../../platform/http/index.ts'
import { checkFilter } from './errors.ts'
import { DEPRECATED, KEYWORD_COLUMNS, toFilterV1 } from './filter.ts'
import { withinLimits } from './limits.ts'
import { removeKeywordQuery } from './keywords.ts'
import { createQuery } from './save.ts'
import { findKeyword } from './show_v1.ts'

const changeQuery = query(
  'statuses/filters/change_v1',
  {
    viewer: c.id,
    keyword: c.id,
    phrase: c.nullable(c.text),
    contexts: c.nullable(c.texts),
    action: c.nullable(c.text),
    expiry_given: c.boolean,
    expires_in: c.nullable(c.integer),
    whole_word: c.nullable(c.boolean),
  },
  { ...KEYWORD_COLUMNS, refused: c.boolean, events: c.events },
)

const SHARED =
  'These parameters cannot be changed from this application because they apply to more than one filter keyword. ' +
  'Use a more recent application or the web interface.'

const PARAMS = {
  phrase: param.string({ optional: true, description: 'title and keyword; at most 256 characters' }),
  context: param.strings({
    optional: true,
    trim: true,
    description: 'where it applies: home, notifications, public, thread, account',
  }),
  irreversible: param.boolean({ optional: true, description: 'true: hide, false: warn' }),
  whole_word: param.boolean({ optional: true, description: 'default: true' }),
  expires_in: param.integer({
    optional: true,
    nullable: true,
    emptyIsNull: true,
    description: 'in seconds; empty: never',
  }),
} as const

export const createFilterV1 = operation({
  method: 'POST',
  path: '/api/v1/filters',
  auth: 'user',
  scopes: ['write:filters'],
  summary: 'Create a filter with one keyword, as older clients do',
  params: PARAMS,
  returns: 'V1::Filter',
  headers: DEPRECATED,
  async handle({ phrase = '', context = [], irreversible, whole_word, expires_in }, { viewer, database }) {
    checkFilter({ title: phrase, context })
    const filter = await withinLimits(
      database.one(createQuery, {
        viewer: viewer.id,
        title: phrase,
        contexts: [...new Set(context)],
        action: irreversible ? 'hide' : 'warn',
        expires_in: expires_in ?? null,
        keywords: [{ keyword: phrase, whole_word: whole_word ?? true }],
      }),
    )
    const [keyword] = filter?.keywords ?? []
    if (!filter || !keyword) throw new Error('the filter was not stored')
    return toFilterV1({ ...filter, ...keyword })
  },
})

export const changeFilterV1 = operation({
  method: ['PUT', 'PATCH'],
  path: '/api/v1/filters/:id',
  auth: 'user',
  scopes: ['write:filters'],
  summary: 'Change a keyword and its filter, as older clients do',
  requireRecord: (id, { viewer, database }) => findKeyword(database, viewer.id, id),
  params: { id: param.id(), ...PARAMS },
  returns: 'V1::Filter',
  headers: DEPRECATED,
  async handle({ id, phrase, context, irreversible, whole_word, expires_in }, { viewer, database }) {
    if (phrase?.trim() === '') throw validationError("Keyword can't be blank")
    checkFilter({ title: phrase, context })
    const changed = await withinLimits(
      database.one(changeQuery, {
        viewer: viewer.id,
        keyword: id,
        phrase: phrase ?? null,
        contexts: context ? [...new Set(context)] : null,
        action: irreversible === undefined ? null : irreversible ? 'hide' : 'warn',
        expiry_given: expires_in !== undefined,
        expires_in: expires_in ?? null,
        whole_word: whole_word ?? null,
      }),
    )
    if (!changed) throw new ApiError('notFound')
    if (changed.refused) throw new ApiError('validation', { message: SHARED })
    return toFilterV1(changed)
  },
})

export const removeFilterV1 = operation({
  method: 'DELETE',
  path: '/api/v1/filters/:id',
  auth: 'user',
  scopes: ['write:filters'],
  summary: 'Remove a keyword, as older clients do; its filter remains',
  params: { id: param.id() },
  returns: '{}',
  headers: DEPRECATED,
  async handle({ id }, { viewer, database }) {
    if (!(await database.one(removeKeywordQuery, { viewer: viewer.id, id }))) throw new ApiError('notFound')
    return {}
  },
})
