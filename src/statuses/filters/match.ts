import type { Id } from '../../core/id.ts'
import type { Steps } from '../../core/time_slices.ts'
import { KeywordMatcher, type Keyword } from './keyword_matcher.ts'

/** A filter with its keywords and statuses. */
export interface FilterRow {
  readonly id: Id
  readonly title: string
  readonly contexts: readonly string[]
  readonly action: string
  readonly expires_at: Date | null
  readonly keywords: readonly Keyword[]
  readonly status_ids: readonly Id[]
}

/** The filters of one account, ready to be matched. */
export interface CompiledFilters {
  /**
   * The FilterResults of a status as a JSON list, for every context; expired filters match nothing.
   * To be run in time slices, because a text may be long.
   * @param text the text that keywords are searched in; called only when there is a keyword
   * @param statusIds the status and the one it boosts; null to ignore filters by status, as on
   * public streams
   */
  match(text: () => string, statusIds: readonly Id[] | null): Steps<string>
  /** Whether there are no filters, so that nothing can match. */
  readonly isEmpty: boolean
}

interface Compiled {
  readonly statusIds: ReadonlySet<Id>
  readonly expiresAt: number
  /** The entity Filter without keywords and statuses, as JSON. */
  readonly filter: string
}

const compile = (row: FilterRow): Compiled => ({
  statusIds: new Set(row.status_ids),
  expiresAt: row.expires_at?.getTime() ?? Number.POSITIVE_INFINITY,
  filter: JSON.stringify({
    id: row.id,
    title: row.title,
    context: row.contexts,
    expires_at: row.expires_at,
    filter_action: row.action,
  }),
})

function resultOf(filter: Compiled, keyword: string | undefined, statusIds: readonly Id[] | null): string | undefined {
  const listed = statusIds?.filter(id => filter.statusIds.has(id)) ?? []
  if (keyword === undefined && listed.length === 0) return undefined
  const keywords = keyword === undefined ? 'null' : JSON.stringify([keyword])
  const statuses = listed.length === 0 ? 'null' : JSON.stringify([...new Set(listed)])
  return `{"filter":${filter.filter},"keyword_matches":${keywords},"status_matches":${statuses}}`
}

/** A class, so that the cache can measure the memory of its members. */
class Filters implements CompiledFilters {
  private readonly filters: readonly Compiled[]
  private readonly matcher: KeywordMatcher | undefined
  private readonly now: () => number

  constructor(filters: readonly Compiled[], matcher: KeywordMatcher | undefined, now: () => number) {
    this.filters = filters
    this.matcher = matcher
    this.now = now
  }

  get isEmpty(): boolean {
    return this.filters.length === 0
  }

  *match(text: () => string, statusIds: readonly Id[] | null): Steps<string> {
    if (this.isEmpty) return '[]'
    const now = this.now()
    const keywords = this.matcher && (yield* this.matcher.find(text()))
    let results = ''
    for (const [place, filter] of this.filters.entries()) {
      if (filter.expiresAt <= now) continue
      const result = resultOf(filter, keywords?.[place], statusIds)
      if (result !== undefined) results += results === '' ? result : `,${result}`
    }
    return `[${results}]`
  }
}

/** Compiles filters once, so that matching a status is one pass over its text. */
export async function compileFilters(
  rows: readonly FilterRow[],
  now: () => number = Date.now,
): Promise<CompiledFilters> {
  const hasKeyword = rows.some(({ keywords }) => keywords.some(({ keyword }) => keyword !== ''))
  const matcher = hasKeyword ? await KeywordMatcher.of(rows.map(({ keywords }) => keywords)) : undefined
  return new Filters(rows.map(compile), matcher, now)
}
