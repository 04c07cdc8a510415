import { ApiError } from '../../core/errors.ts'
import { findLanguage } from '../../core/languages/index.ts'
import { parseTimeRange, type TimeRange } from './time_range.ts'

/** The conditions of a search for statuses, all of which must hold. */
export interface StatusQuery {
  /** Words and phrases for search_query; excluded ones begin with a minus. */
  readonly words: string
  /** The required words and phrases, without quotes. */
  readonly required: readonly string[]
  /**
   * Marks of the index (sql/functions/status_search_vector.sql) as operands of a tsquery; excluded
   * ones begin with `!`.
   */
  readonly marks: readonly string[]
  readonly from: readonly { readonly handle: string; readonly negated: boolean }[]
  readonly fromMs: number
  /** Exclusive. */
  readonly toMs: number
  readonly skipped: readonly TimeRange[]
  readonly scope: 'library' | 'public' | 'all'
}

/**
 * Further words and operators are ignored: each word is looked up in the index for each range of
 * time, and several hundred would take seconds.
 */
const MAX_WORDS = 32
const MAX_OPERATORS = 32
/** Scripts that do not separate words by spaces. */
const UNSPACED = String.raw`[\p{sc=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Bopo}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]`
/** What becomes a lexeme, roughly: also each letter of these scripts. */
const WORD = new RegExp(String.raw`(?=${UNSPACED})[\p{L}\p{N}]\p{M}*|(?:(?!${UNSPACED})[\p{L}\p{M}\p{N}])+`, 'gu')

type Draft = { -readonly [K in keyof StatusQuery]: StatusQuery[K] extends readonly (infer T)[] ? T[] : StatusQuery[K] }

const TOKEN = /([+-])?(?:([a-z]+):)?(?:"([^"]*)(?:"|$)|([^\s"]+))/giu
const PROPERTIES = ['media', 'image', 'video', 'audio', 'poll', 'link', 'embed', 'sensitive', 'reply', 'quote']
const SCOPES = ['library', 'public', 'all'] as const
const LANGUAGE = /^[a-z]{2,3}(?:-[a-z0-9]{2,8})?$/i

function addProperty(draft: Draft, property: string, negated: boolean): boolean {
  const known = property.toLowerCase()
  if (!PROPERTIES.includes(known)) return false
  draft.marks.push(`${negated ? '!' : ''}'=${known}'`)
  return true
}

/** An unknown scope has no effect. */
function addScope(draft: Draft, scope: string, negated: boolean): void {
  const known = SCOPES.find(one => one === scope.toLowerCase())
  if (known === undefined) return
  if (negated) throw new ApiError('validation', { message: 'Unprocessable Content' })
  draft.scope = known
}

function addTime(draft: Draft, name: string, { fromMs, toMs }: TimeRange, negated: boolean): void {
  if (name === 'during' && negated) draft.skipped.push({ fromMs, toMs })
  else if (name === 'during') {
    draft.fromMs = Math.max(draft.fromMs, fromMs)
    draft.toMs = Math.min(draft.toMs, toMs)
  } else if (name === 'before' && !negated) draft.toMs = Math.min(draft.toMs, fromMs)
  else if (name === 'before') draft.fromMs = Math.max(draft.fromMs, fromMs)
  else if (negated) draft.toMs = Math.min(draft.toMs, toMs)
  else draft.fromMs = Math.max(draft.fromMs, toMs)
}

/** Returns false for an unknown operator, which is then a word. */
function addOperator(draft: Draft, name: string, value: string, negated: boolean, timeZone: string): boolean {
  switch (name) {
    case 'has':
    case 'is':
      return addProperty(draft, value, negated)
    case 'in':
      addScope(draft, value, negated)
      return true
    case 'language':
      if (!LANGUAGE.test(value)) return false
      draft.marks.push(`${negated ? '!' : ''}'=language:${(findLanguage(value) ?? value).toLowerCase()}'`)
      return true
    case 'from':
      draft.from.push({ handle: value, negated })
      return true
    case 'before':
    case 'after':
    case 'during':
      addTime(draft, name, parseTimeRange(value, timeZone), negated)
      return true
    default:
      return false
  }
}

/**
 * Parses a search text. Pure. Words that only look like operators are words; typographic quotes are
 * quotes. Repeated words count once.
 * @param timeZone the time zone of dates
 * @throws ApiError invalidDate; validation for an operator that cannot be negated
 */
export function parseStatusQuery(text: string, timeZone: string): StatusQuery {
  const draft: Draft = {
    words: '',
    required: [],
    marks: [],
    from: [],
    fromMs: 0,
    toMs: Number.POSITIVE_INFINITY,
    skipped: [],
    scope: 'all',
  }
  const words = new Set<string>()
  let wordsLeft = MAX_WORDS
  let operatorsLeft = MAX_OPERATORS
  for (const [, sign, name, phrase, plain] of text.replaceAll(/[“”„«»「」『』]/gu, '"').matchAll(TOKEN)) {
    const value = phrase ?? plain ?? ''
    const negated = sign === '-'
    if (name !== undefined && value !== '') {
      if (operatorsLeft === 0) continue
      if (addOperator(draft, name.toLowerCase(), value, negated, timeZone)) {
        operatorsLeft -= 1
        continue
      }
    }
    const { text: word, count } = firstWords(name === undefined ? value : `${name}:${value}`, wordsLeft)
    const quoted = `${negated ? '-' : ''}"${word}"`
    if (word.trim() === '' || wordsLeft === 0 || words.has(quoted)) continue
    wordsLeft -= Math.max(count, 1)
    words.add(quoted)
    if (!negated) draft.required.push(word)
  }
  return { ...draft, words: [...words].join(' ') }
}

/** The text up to its first `max` words. */
function firstWords(text: string, max: number): { text: string; count: number } {
  const found = [...text.matchAll(WORD)]
  const excess = found[max]
  return excess ? { text: text.slice(0, excess.index).trimEnd(), count: max } : { text, count: found.length }
}
