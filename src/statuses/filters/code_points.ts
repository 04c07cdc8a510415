/** The keyword matcher's facts about code points. */

import type { Steps } from '../../core/time_slices.ts'

const PAGE_BITS = 7
const PAGE_SIZE = 1 << PAGE_BITS
const PAGES = 0x110000 >> PAGE_BITS

const WORD = /[\p{L}\p{M}\p{N}\p{Pc}]/u

/** Code points whose simple case folding differs from the lower case of their upper case. */
const IRREGULAR: ReadonlyMap<number, number> = new Map([
  [0x131, 0x131],
  [0x1fd3, 0x390],
  [0x1fe3, 0x3b0],
  [0xfb06, 0xfb05],
])

/** The only code point of a text; undefined when there are several. */
function only(text: string): number | undefined {
  const code = text.codePointAt(0)
  return code !== undefined && text.length === (code > 0xffff ? 2 : 1) ? code : undefined
}

function foldOf(code: number): number {
  const irregular = IRREGULAR.get(code)
  if (irregular !== undefined) return irregular
  const capital = only(String.fromCodePoint(code).toUpperCase()) ?? code
  return only(String.fromCodePoint(capital).toLowerCase()) ?? capital
}

/**
 * Cached facts by code point: the folded code point and, as the lowest bit, whether it is part of a
 * word; one is added to distinguish it from an empty slot. All of Unicode would take 4.4 MB.
 */
const pages = Array.from<Int32Array | undefined>({ length: PAGES })

/**
 * The code point after simple case folding (as in regular expressions with the flags `iu`), times
 * two; plus one when it is a letter, mark, digit or connector and so part of a word.
 */
export function factsOfCodePoint(code: number): number {
  const page = (pages[code >> PAGE_BITS] ??= new Int32Array(PAGE_SIZE))
  const known = page[code & (PAGE_SIZE - 1)] ?? 0
  if (known !== 0) return known - 1
  const facts = foldOf(code) * 2 + (WORD.test(String.fromCodePoint(code)) ? 1 : 0)
  page[code & (PAGE_SIZE - 1)] = facts + 1
  return facts
}

/** The symbol at which a word begins or ends; the others are folded code points. */
const BOUNDARY = -1

/**
 * A text as the automaton reads it: its folded code points, with a symbol wherever a word begins or
 * ends.
 */
export interface Symbols {
  readonly text: string
  readonly length: number
  readonly symbols: Int32Array
  /** The offset of each symbol in the text, and the text's length. A boundary has no length. */
  readonly offsets: Int32Array
}

/** The number of code units that are read in one step of a time slice. */
const SLICE_CODE_UNITS = 512

/** @param ends whether the text's first and last words are complete, and so have boundaries */
export function* toSymbols(text: string, ends: boolean): Steps<Symbols> {
  const symbols = new Int32Array(text.length * 2 + 1)
  const offsets = new Int32Array(text.length * 2 + 2)
  let length = 0
  let wasWord = false
  for (let at = 0; at < text.length;) {
    for (const until = Math.min(at + SLICE_CODE_UNITS, text.length); at < until;) {
      const code = text.codePointAt(at) ?? 0
      const facts = factsOfCodePoint(code)
      const isWord = (facts & 1) === 1
      if (isWord !== wasWord && (at > 0 || ends)) {
        offsets[length] = at
        symbols[length++] = BOUNDARY
      }
      offsets[length] = at
      symbols[length++] = facts >> 1
      wasWord = isWord
      at += code > 0xffff ? 2 : 1
    }
    if (at < text.length) yield
  }
  offsets[length] = text.length
  if (wasWord && ends) {
    symbols[length++] = BOUNDARY
    offsets[length] = text.length
  }
  return { text, length, symbols, offsets }
}
