import assert from 'node:assert/strict'
import { test } from 'tap'

import { countCodePoints, countGraphemes, countNote, countStatus, cutCodePoints } from '../../../src/core/text/index.ts'

const graphemes: [text: string, count: number][] = [
  ['', 0],
  ['hello\nworld', 11],
  ['a\r\nb', 3],
  ['\n\r', 2],
  ['e\u0301', 1],
  ['ae\u0301', 2],
  ['é日本', 3],
  ['👩‍👩‍👧‍👦', 1],
  ['a👩‍👩‍👧‍👦b🇩🇪c', 5],
  ['🇩🇪🇫🇷', 2],
  ['👍🏽❤️', 2],
  ['©\u200d®', 1],
  ['한국', 2],
  ['한\u11a8', 1],
  ['हिन्दी', 2],
  ['กำ', 1],
  ['か\u3099', 1],
  ['ﾊﾞ', 1],
  ['\u0600a', 1],
  ['مرحبا', 5],
  ['\u0301', 1],
  ['\u200f#', 2],
]

test('grapheme clusters are counted as readers count characters', async () => {
  for (const [text, count] of graphemes) assert.equal(countGraphemes(text), count, JSON.stringify(text))
})

test('simple text is counted as the segmenter counts it', async () => {
  const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' })
  const parts = [
    ...Array.from('aé日한ｱゝЖ؀ا '),
    '\r',
    '\n',
    '\u0301',
    '👩',
    '\u200d',
    '🏽',
    '🇩',
    '\ufe0f',
    'न',
    '्',
    '\u11a8',
    '\ud83d',
    '\u0e33',
    '\u00ad',
    '©',
    '™',
  ]
  let seed = 7
  for (let round = 0; round < 3000; round++) {
    let text = ''
    for (let at = 0; at < 8; at++) {
      seed = (seed * 1103515245 + 12345) % 2147483648
      text += parts[(seed >> 8) % parts.length] ?? ''
    }
    assert.equal(countGraphemes(text), [...segmenter.segment(text)].length, JSON.stringify(text))
  }
})

const URL_OF_60 = `https://example.com/${'a'.repeat(40)}`

const statuses: [text: string, count: number][] = [
  ['', 0],
  [URL_OF_60, 23],
  ['https://a.co', 23],
  [`${URL_OF_60} and ${URL_OF_60}`, 51],
  ['xmpp:a@example.com', 23],
  ['example.com', 11],
  [`https://example.com/${'a'.repeat(4100)}`, 4120],
  ['@alice@social.example.com hi', 9],
  ['@alice hi', 9],
  ['alice@example.com', 17],
  ['#tea 👩‍👩‍👧‍👦', 6],
  ['日本https://a.co', 25],
  // scripts: clusters that readers see as one character
  ['שלום עולם', 9],
  ['مَرْحَبًا', 5],
  ['\u200fשלום\u200f @alice@social.example.com', 13],
  ['नमस्ते', 3],
  ['안녕하세요', 5],
  ['한글', 2],
  ['🇩🇪🇫🇷🏴󠁧󠁢󠁷󠁬󠁳󠁿', 3],
  ['👍🏽 ❤️ 1️⃣ 👩🏿‍🚀', 7],
  // URLs: names in other scripts, ports, parentheses, following text
  ['https://правительство.рф/новости', 23],
  ['https://例え.みんな。次', 25],
  [`https://example.com:8443/${'a'.repeat(30)}?b=c#d`, 23],
  ['https://en.example.org/wiki/Mill_(grinding)', 23],
  ['(https://en.example.org/wiki/Mill)', 25],
  ['https://example.com/a, https://example.com/b.', 49],
  ['https://example.com/قهوة', 23],
  ['http://localhost/a', 18],
  // mentions: the domain is not counted, whatever its script
  ['@alice@例え.みんな さん', 9],
  ['@alice@example.com, @bob@example.org!', 13],
]

test('a status counts URLs as 23 and mentions without their domain', async () => {
  for (const [text, count] of statuses) assert.equal(countStatus(text), count, text)
})

const notes: [text: string, count: number][] = [
  [URL_OF_60, 23],
  [`(${URL_OF_60})`, 25],
  ['日本https://a.co', 14],
  ['xmpp:a@example.com', 18],
  ['gemini://example.com', 20],
  ['@alice@example.com', 6],
  ['x@alice@example.com', 19],
]

test('a bio counts separate web URLs as 23', async () => {
  for (const [text, count] of notes) assert.equal(countNote(text), count, text)
})

test('code points are counted and never split', async () => {
  assert.equal(countCodePoints('a😀é'), 3)
  assert.equal(countCodePoints('\ud83d'), 1)
  assert.equal(cutCodePoints('a😀b', 2), 'a😀')
  assert.equal(cutCodePoints('a😀b', 9), 'a😀b')
  assert.equal(cutCodePoints('abc', 0), '')
})
