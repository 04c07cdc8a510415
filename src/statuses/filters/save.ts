import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { c, query, type Database, type Row } from '../../platform/database/index.ts'
import { checkFilter } from './errors.ts'
import { FILTER_COLUMNS } from './filter.ts'
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
function toChanges(keywords: readonly GivenKeyword[]): KeywordChange[] {
  const changes = new Map<Id | GivenKeyword, KeywordChange>()
  for (const entry of keywords) {
    const { id = null, keyword, whole_word: wholeWord, _destroy: destroy } = entry
    if (id === null && (destroy || ((keyword ?? '').trim() === '' && wholeWord === undefined))) continue
    const word = id === null ? (keyword ?? '') : (keyword ?? null)
    changes.set(id ?? entry, { id, keyword: word, whole_word: wholeWord ?? null, destroy })
  }
  return [...changes.values()]
}

const written = (changes: readonly KeywordChange[]): (string | undefined)[] =>
  changes.map(({ keyword, destroy }) => (destroy ? undefined : (keyword ?? undefined)))

/**
 * The attributes of a filter as they are sent. Undefined ones keep their values, or their defaults.
 */
export interface FilterInput {
  readonly title?: string | undefined
  readonly context?: readonly string[] | undefined
  readonly filter_action?: string | undefined
  /** In seconds; null: never. */
  readonly expires_in?: number | null | undefined
  readonly keywords_attributes?: readonly GivenKeyword[] | undefined
}

export type StoredFilter = Row<typeof FILTER_COLUMNS>

/** @throws ApiError validation; notFound for a keyword with an id */
export async function addFilter(database: Database, viewer: Id, input: FilterInput): Promise<StoredFilter> {
  const { title = '', context = [], filter_action: action, expires_in: seconds } = input
  const keywords = toChanges(input.keywords_attributes ?? [])
  checkKeywordCount(keywords.length)
  if (keywords.some(({ id }) => id !== null)) throw new ApiError('notFound')
  checkFilter({ title, context, filter_action: action, keywords: written(keywords) })
  const filter = await withinLimits(
    database.one(createQuery, {
      viewer,
      title,
      contexts: [...new Set(context)],
      action: action ?? 'warn',
      expires_in: seconds ?? null,
      keywords,
    }),
  )
  if (!filter) throw new Error('the filter was not stored')
  return filter
}

/** @throws ApiError validation; notFound unless it is the viewer's */
export async function editFilter(database: Database, viewer: Id, id: Id, input: FilterInput): Promise<StoredFilter> {
  const { title, context, filter_action: action, expires_in: seconds } = input
  const keywords = toChanges(input.keywords_attributes ?? [])
  checkKeywordCount(keywords.length)
  checkFilter({ title, context, filter_action: action, keywords: written(keywords) })
  const changed = await withinLimits(
    database.one(changeQuery, {
      viewer,
      filter: id,
      title: title ?? null,
      contexts: context ? [...new Set(context)] : null,
      action: action ?? null,
      expiry_given: seconds !== undefined,
      expires_in: seconds ?? null,
      keywords,
    }),
  )
  if (!changed) throw new ApiError('notFound')
  return changed
}

/** @throws ApiError notFound unless it is the viewer's */
export async function deleteFilter(database: Database, viewer: Id, filter: Id): Promise<void> {
  if (!(await database.one(removeQuery, { viewer, filter }))) throw new ApiError('notFound')
}
