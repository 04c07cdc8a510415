import { c, query } from '../../platform/database/index.ts'
import { ApiError } from '../../core/errors.ts'
import { operation, param } from '../../platform/http/index.ts'
import type { Id } from '../../core/id.ts'
import { checkFilter } from './errors.ts'
import { FILTER_COLUMNS, toFilter } from './filter.ts'
import { checkKeywordCount, withinLimits } from './limits.ts'

/** A change of a keyword; without an id it creates one. Null members keep their values. */
interface KeywordChange {
  id: Id | null
  keyword: string | null
  whole_word: boolean | null
  destroy: boolean
}

/** Creates a filter; `expires_in` is in seconds, null for never. */
export const createQuery = query(
  'statuses/filters/create',
  {
    viewer: c.id,
    title: c.text,
    contexts: c.texts,
    action: c.text,
    expires_in: c.nullable(c.integer),
    keywords: c.json<Pick<KeywordChange, 'keyword' | 'whole_word'>[]>(),
  },
  { ...FILTER_COLUMNS, events: c.events },
)
const changeQuery = query(
  'statuses/filters/change',
  {
    viewer: c.id,
    filter: c.id,
    title: c.nullable(c.text),
    contexts: c.nullable(c.texts),
    action: c.nullable(c.text),
    expiry_given: c.boolean,
    expires_in: c.nullable(c.integer),
    keywords: c.json<KeywordChange[]>(),
  },
  { ...FILTER_COLUMNS, events: c.events },
)
const removeQuery = query('statuses/filters/remove', { viewer: c.id, filter: c.id }, { id: c.id, events: c.events })

/**
 * The parameters of a filter. All are optional here, because missing and invalid ones are reported
 * together.
 */
const PARAMS = {
  title: param.string({ optional: true, description: 'at most 256 characters' }),
  context: param.strings({
    optional: true,
    trim: true,
    description: 'where it applies: home, notifications, public, thread, account',
  }),
  filter_action: param.string({ optional: true, description: 'warn, hide or blur' }),
  expires_in: param.integer({
    optional: true,
    nullable: true,
    emptyIsNull: true,
    description: 'in seconds; empty: never',
  }),
  keywords_attributes: param.objects(
    {
      id: param.id({ optional: true, description: 'of an existing keyword' }),
      keyword: param.string({ optional: true, description: 'at most 512 characters' }),
      whole_word: param.boolean({ optional: true, description: 'default: true' }),
      _destroy: param.boolean({ default: false, description: 'removes the keyword' }),
    },
    { default: [], label: 'Keywords' },
  ),
} as const

interface GivenKeyword {
  readonly id: Id | undefined
  readonly keyword: string | undefined
  readonly whole_word: boolean | undefined
  readonly _destroy: boolean
}

/**
 * Ignores empty entries and new ones that are to be removed; of several entries for one keyword the
 * last counts.
 */
function toChanges(given: readonly GivenKeyword[]): KeywordChange[] {
  const changes = new Map<Id | GivenKeyword, KeywordChange>()
  for (const entry of given) {
    const { id = null, keyword, whole_word: wholeWord, _destroy: destroy } = entry
    if (id === null && (destroy || ((keyword ?? '').trim() === '' && wholeWord === undefined))) continue
    const word = id === null ? (keyword ?? '') : (keyword ?? null)
    changes.set(id ?? entry, { id, keyword: word, whole_word: wholeWord ?? null, destroy })
  }
  return [...changes.values()]
}

const written = (changes: readonly KeywordChange[]): (string | undefined)[] =>
  changes.map(({ keyword, destroy }) => (destroy ? undefined : (keyword ?? undefined)))

export const createFilter = operation({
  method: 'POST',
  path: '/api/v2/filters',
  auth: 'user',
  scopes: ['write:filters'],
  summary: 'Create a filter with its keywords',
  params: PARAMS,
  returns: 'Filter',
  async handle({ title = '', context = [], filter_action: action, ...given }, { viewer, database }) {
    const keywords = toChanges(given.keywords_attributes)
    checkKeywordCount(keywords.length)
    if (keywords.some(({ id }) => id !== null)) throw new ApiError('notFound')
    checkFilter({ title, context, filter_action: action, keywords: written(keywords) })
    const made = await withinLimits(
      database.one(createQuery, {
        viewer: viewer.id,
        title,
        contexts: [...new Set(context)],
        action: action ?? 'warn',
        expires_in: given.expires_in ?? null,
        keywords,
      }),
    )
    if (!made) throw new Error('a filter was not made')
    return toFilter(made)
  },
})

export const changeFilter = operation({
  method: ['PUT', 'PATCH'],
  path: '/api/v2/filters/:id',
  auth: 'user',
  scopes: ['write:filters'],
  summary: 'Change a filter and its keywords; omitted attributes keep their values',
  params: { id: param.id(), ...PARAMS },
  returns: 'Filter',
  async handle({ id, title, context, filter_action: action, ...given }, { viewer, database }) {
    const keywords = toChanges(given.keywords_attributes)
    checkKeywordCount(keywords.length)
    checkFilter({ title, context, filter_action: action, keywords: written(keywords) })
    const changed = await withinLimits(
      database.one(changeQuery, {
        viewer: viewer.id,
        filter: id,
        title: title ?? null,
        contexts: context ? [...new Set(context)] : null,
        action: action ?? null,
        expiry_given: given.expires_in !== undefined,
        expires_in: given.expires_in ?? null,
        keywords,
      }),
    )
    if (!changed) throw new ApiError('notFound')
    return toFilter(changed)
  },
})

export const removeFilter = operation({
  method: 'DELETE',
  path: '/api/v2/filters/:id',
  auth: 'user',
  scopes: ['write:filters'],
  summary: 'Delete a filter with its keywords and statuses',
  params: { id: param.id() },
  returns: '{}',
  async handle({ id }, { viewer, database }) {
    if (!(await database.one(removeQuery, { viewer: viewer.id, filter: id }))) throw new ApiError('notFound')
    return {}
  },
})
