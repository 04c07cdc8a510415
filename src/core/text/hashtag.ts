import { hasTagLength } from './tag.ts'
import type { Span } from './url.ts'

/** A hashtag in a text; `name` as typed, without the `#`. */
export type Hashtag = Span & { name: string }

const NAME_RUN = /[\p{L}\p{M}\p{Nd}\p{Pc}\u00b7\u30fb\u200c]+/uy
const NAME = /^[\p{L}\p{M}\p{Nd}\p{Pc}\u00b7\u30fb\u200c]+$/u
const LETTER_OR_INNER_SEPARATOR = /\p{Alphabetic}|.[_\u00b7\u30fb\u200c]./su
const SPACE_BEFORE = /[\s\u0085]/
const OUTER_SEPARATORS = new Set('\u00b7\u30fb\u200c')

/**
 * Whether `name` can be a hashtag: letters, marks, digits and connecting punctuation, inside also
 * the separators `_ · ・` and the zero-width non-joiner, and not digits only; no longer than a
 * post.
 */
export function isValidTag(name: string): boolean {
  return (
    hasTagLength(name) &&
    NAME.test(name) &&
    !OUTER_SEPARATORS.has(name.charAt(0)) &&
    !OUTER_SEPARATORS.has(name.charAt(name.length - 1)) &&
    LETTER_OR_INNER_SEPARATOR.test(name)
  )
}

function withoutOuterSeparators(name: string): string {
  let end = name.length
  while (end > 0 && OUTER_SEPARATORS.has(name.charAt(end - 1))) end--
  return name.slice(0, end)
}

/**
 * The hashtag whose `#` (or `＃`) stands at `at`, if there is one: white space or nothing must
 * precede it.
 */
export function hashtagAt(text: string, at: number): Hashtag | undefined {
  if (at > 0 && !SPACE_BEFORE.test(text.charAt(at - 1))) return undefined
  NAME_RUN.lastIndex = at + 1
  let name = NAME_RUN.exec(text)?.[0] ?? ''
  if (text.startsWith('://', at + 1 + name.length)) name = name.replace(/https?$/i, '')
  name = withoutOuterSeparators(name)
  return isValidTag(name) ? { start: at, end: at + 1 + name.length, name } : undefined
}
