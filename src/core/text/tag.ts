import { LIMITS } from '../limits.ts'
import { countCodePoints } from './truncate.ts'

/** No post has a longer one; an index cannot store texts of any length. */
const MAX_CHARACTERS = LIMITS.statuses.max_characters

const PLAIN = /^[a-z0-9_]*$/i
const NOT_IN_IDENTITY = /[^\p{Alphabetic}\p{Nd}\u0e47-\u0e4e_\u00b7\u30fb\u200c]/gu
const NOT_IN_NAME = /[^\p{L}\p{M}\p{Nd}\p{Pc}\u00b7\u30fb\u200c]/gu
const ACCENTED_LATIN = /[\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff]/g

/** Latin letters that Unicode does not decompose into a letter and an accent. */
const FOLDED = new Map([
  ['ø', 'o'],
  ['ł', 'l'],
  ['đ', 'd'],
  ['ð', 'd'],
  ['ħ', 'h'],
  ['ŧ', 't'],
  ['ı', 'i'],
  ['ŋ', 'n'],
  ['ĸ', 'k'],
])

function foldLetter(letter: string): string {
  const folded = FOLDED.get(letter)
  if (folded !== undefined) return folded
  const base = letter.normalize('NFD').charAt(0)
  return base < '\u0080' ? base : letter
}

/** Whether a name is no longer than a hashtag can be: a post. */
export const hasTagLength = (name: string): boolean =>
  name.length <= MAX_CHARACTERS || (name.length <= 2 * MAX_CHARACTERS && countCodePoints(name) <= MAX_CHARACTERS)

/**
 * The identity of a hashtag: names with the same identity are the same tag. NFKC, lower case, Latin
 * accents folded to ASCII, invalid characters removed. Empty when nothing is left, and for a name
 * that is longer than a hashtag can be: NFKC makes 18 characters of some, and takes a second for a
 * megabyte.
 */
export function normaliseTag(name: string): string {
  if (!hasTagLength(name)) return ''
  if (PLAIN.test(name)) return name.toLowerCase()
  return name.normalize('NFKC').toLowerCase().replace(ACCENTED_LATIN, foldLetter).replace(NOT_IN_IDENTITY, '')
}

/**
 * The display form of a tag by its first spelling: case, accents and width preserved, without `#`.
 */
export function displayTag(name: string): string {
  return PLAIN.test(name) ? name : name.replace(NOT_IN_NAME, '')
}

/** The page of a hashtag, by its identity or any spelling. */
export const tagUrl = (name: string, publicUrl: string): string => `${publicUrl}/tags/${encodeURIComponent(name)}`
