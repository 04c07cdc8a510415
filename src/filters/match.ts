import type { Id } from '../id.ts'

export interface Keyword {
  readonly keyword: string
  readonly whole_word: boolean
}

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
  readonly pattern: RegExp | undefined
  readonly statusIds: ReadonlySet<Id>
  readonly expiresAt: number
  /** The entity Filter without keywords and statuses, as JSON. */
  readonly filter: string
}

const WORD = '[\\p{L}\\p{M}\\p{N}\\p{Pc}]'
const STARTS_WITH_WORD = new RegExp(`^${WORD}`, 'u')
const ENDS_WITH_WORD = new RegExp(`${WORD}$`, 'u')

/** A whole word needs its boundary only where the keyword itself begins or ends with a word character. */
function toPattern({ keyword, whole_word: wholeWord }: Keyword): string {
  const literal = keyword.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  if (!wholeWord) return literal
  const before = STARTS_WITH_WORD.test(keyword) ? `(?<!${WORD})` : ''
  const after = ENDS_WITH_WORD.test(keyword) ? `(?!${WORD})` : ''
  return before + literal + after
}

function compile(row: FilterRow): Compiled {
  const patterns = row.keywords.filter(({ keyword }) => keyword !== '').map(toPattern)
  return {
    pattern: patterns.length > 0 ? new RegExp(patterns.join('|'), 'iu') : undefined,
    statusIds: new Set(row.status_ids),
    expiresAt: row.expires_at?.getTime() ?? Number.POSITIVE_INFINITY,
    filter: JSON.stringify({
      id: row.id,
      title: row.title,
      context: row.contexts,
      expires_at: row.expires_at,
      filter_action: row.action,
    }),
  }
}

function matchOne(filter: Compiled, text: () => string, statusIds: readonly Id[] | null): string | undefined {
  const keyword = filter.pattern?.exec(text())?.[0]
  const listed = statusIds?.filter(id => filter.statusIds.has(id)) ?? []
  if (keyword === undefined && listed.length === 0) return undefined
  const keywords = keyword === undefined ? 'null' : JSON.stringify([keyword])
  const statuses = listed.length === 0 ? 'null' : JSON.stringify([...new Set(listed)])
  return `{"filter":${filter.filter},"keyword_matches":${keywords},"status_matches":${statuses}}`
}

/** Compiles filters once, so that matching a status is one regular expression a filter. */
export function compileFilters(rows: readonly FilterRow[], now: () => number = Date.now): CompiledFilters {
  const filters = rows.map(compile)
  return {
    isEmpty: filters.length === 0,
    match(text, statusIds) {
      if (filters.length === 0) return '[]'
      const results: string[] = []
      for (const filter of filters) {
        if (filter.expiresAt <= now()) continue
        const result = matchOne(filter, text, statusIds)
        if (result !== undefined) results.push(result)
      }
      return `[${results.join(',')}]`
    },
  }
}
