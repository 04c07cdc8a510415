import type { Id } from '../../core/id.ts'
import { KeywordMatcher, type Keyword } from './keyword_matcher.ts'

/** A filter with all that it matches by. */
export interface FilterRow {
  readonly id: Id
  readonly title: string
  readonly contexts: readonly string[]
  readonly action: string
  readonly expires_at: Date | null
  readonly keywords: readonly Keyword[]
  readonly status_ids: readonly Id[]
}

/** The filters of one person, ready to be matched. */
export interface CompiledFilters {
  /**
   * The FilterResults of a status as a JSON list, of every context; filters that have expired match nothing.
   * @param text what keywords are searched in; asked for only when there is a keyword
   * @param statusIds the status and what it boosts; null when filters by status do not count, as in public streams
   */
  match(text: () => string, statusIds: readonly Id[] | null): string
  /** Whether there is none, so that nothing can match. */
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

/** A class, so that the cache sees how much memory its members take. */
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

  match(text: () => string, statusIds: readonly Id[] | null): string {
    if (this.isEmpty) return '[]'
    const now = this.now()
    const keywords = this.matcher?.find(text())
    let results = ''
    for (const [place, filter] of this.filters.entries()) {
      if (filter.expiresAt <= now) continue
      const result = resultOf(filter, keywords?.[place], statusIds)
      if (result !== undefined) results += results === '' ? result : `,${result}`
    }
    return `[${results}]`
  }
}

/** Makes filters ready once, so that matching a status is one pass over its text. */
export async function compileFilters(
  rows: readonly FilterRow[],
  now: () => number = Date.now,
): Promise<CompiledFilters> {
  const hasKeyword = rows.some(({ keywords }) => keywords.some(({ keyword }) => keyword !== ''))
  const matcher = hasKeyword ? await KeywordMatcher.of(rows.map(({ keywords }) => keywords)) : undefined
  return new Filters(rows.map(compile), matcher, now)
}
