import assert from 'node:assert/strict'
import { test } from 'tap'
import { runAtOnce } from '../../../src/core/time_slices.ts'
import { factsOfCodePoint } from '../../../src/statuses/filters/code_points.ts'
import { KeywordMatcher, type Keyword } from '../../../src/statuses/filters/keyword_matcher.ts'

/** The reference implementation: one regular expression for each filter. */

const WORD = '[\\p{L}\\p{M}\\p{N}\\p{Pc}]'

function toPattern({ keyword, whole_word: wholeWord }: Keyword): string {
  const literal = keyword.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
  if (!wholeWord) return literal
  const before = new RegExp(`^${WORD}`, 'u').test(keyword) ? `(?<!${WORD})` : ''
  const after = new RegExp(`${WORD}$`, 'u').test(keyword) ? `(?!${WORD})` : ''
  return before + literal + after
}

function plainly(keywords: readonly Keyword[], text: string): string | undefined {
  const patterns = keywords.filter(({ keyword }) => keyword !== '').map(toPattern)
  return patterns.length > 0 ? new RegExp(patterns.join('|'), 'iu').exec(text)?.[0] : undefined
}

/** Random numbers that are the same in each run. */
function numbers(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const ALPHABETS = [
  'ab',
  'aA-',
  'aAbB_ 1',
  'aåÅéE\u0301 .',
  'sSſßẞ kKK',
  'iIıİ\u0307 -',
  'σςΣ ΐΐΰΰ\u0345ͅιΙ',
  'ﬅﬆ ꭰᎠᏸᏰ',
  'ǆǅǄ ǳǲǱ',
  '\u{1f600}\u{1f601}\u{10400}\u{10428} a',
  '猫犬 \u3042_',
  '.*+?^$()[]{}|/\\ a\n',
  '\ud83d\ude00 a',
].map(letters => Array.from(letters))

function randomText(random: (below: number) => number, alphabet: readonly string[], most: number): string {
  let text = ''
  for (let left = random(most + 1); left > 0; left -= 1) text += alphabet[random(alphabet.length)] ?? ''
  return text
}

test('many keywords find the match that one regular expression of them would find first', async () => {
  for (const [index, alphabet] of ALPHABETS.entries()) {
    const random = numbers(index + 1)
    for (let round = 0; round < 60; round += 1) {
      const filters = Array.from({ length: random(4) }, () =>
        Array.from({ length: random(8) }, () => ({
          keyword: randomText(random, alphabet, 5),
          whole_word: random(2) === 0,
        })),
      )
      const matcher = await KeywordMatcher.of(filters)
      for (let texts = 0; texts < 4; texts += 1) {
        const text = randomText(random, alphabet, 30)
        const expected = filters.map(keywords => plainly(keywords, text))
        assert.deepEqual(runAtOnce(matcher.find(text)), expected, JSON.stringify({ filters, text }))
      }
    }
  }
})

test('long keywords with common prefixes and suffixes match as a regular expression does', async () => {
  const random = numbers(99)
  for (let round = 0; round < 15; round += 1) {
    const base = randomText(random, ['a', 'b', '-'], 60)
    const keywords = Array.from({ length: 60 }, () => {
      const from = random(base.length)
      return { keyword: base.slice(from, from + random(20)), whole_word: random(3) > 0 }
    })
    const text = Array.from({ length: 4 }, () => base.slice(random(base.length)) + randomText(random, ['a', '-'], 3))
    const matcher = await KeywordMatcher.of([keywords, keywords.toReversed()])
    for (const one of [text.join(''), text.join(' ')]) {
      const expected = [plainly(keywords, one), plainly(keywords.toReversed(), one)]
      assert.deepEqual(runAtOnce(matcher.find(one)), expected, JSON.stringify({ keywords, one }))
    }
  }
})

test('letters are equal, and part of words, as in a regular expression', async () => {
  const word = new RegExp(WORD, 'iu')
  const lettersByFold = new Map<number, string[]>()
  const cased = new Set<string>()
  for (let code = 0; code < 0x110000; code += 1) {
    const letter = String.fromCodePoint(code)
    const facts = factsOfCodePoint(code)
    assert.equal(facts & 1, word.test(letter) ? 1 : 0, code.toString(16))
    const alike = lettersByFold.get(facts >> 1)
    if (alike) alike.push(letter)
    else lettersByFold.set(facts >> 1, [letter])
    if (/\p{CWCM}/u.test(letter)) cased.add(letter)
  }
  const allCased = [...cased].join('')
  for (const [fold, letters] of lettersByFold) {
    const [letter = ''] = letters
    if (letters.length === 1 && !cased.has(letter)) continue
    const alike = allCased.match(new RegExp(`\\u{${fold.toString(16)}}`, 'giu')) ?? []
    assert.deepEqual(letters, alike, fold.toString(16))
    assert.equal(new Set(letters.map(one => word.test(one))).size, 1, letter)
  }
})
