import assert from 'node:assert/strict'
import { test } from 'tap'
import { parseTimeRange } from '../../../src/timelines/search/time_range.ts'
import { parseStatusQuery, type StatusQuery } from '../../../src/timelines/search/status_query.ts'

const NONE: StatusQuery = {
  words: '',
  required: [],
  marks: [],
  from: [],
  fromMs: 0,
  toMs: Number.POSITIVE_INFINITY,
  skipped: [],
  scope: 'all',
}
const DAY_MS = 86_400_000
const day = Date.UTC(2026, 4, 3)

test('a search text is read as words, phrases and operators', async () => {
  const table: [string, Partial<StatusQuery>][] = [
    ['', {}],
    ['two words', { words: '"two" "words"', required: ['two', 'words'] }],
    ['"a phrase" -not +plus', { words: '"a phrase" -"not" "plus"', required: ['a phrase', 'plus'] }],
    ['“curly quotes” -«another one»', { words: '"curly quotes" -"another one"', required: ['curly quotes'] }],
    ['"not closed', { words: '"not closed"', required: ['not closed'] }],
    ['one or two', { words: '"one" "or" "two"', required: ['one', 'or', 'two'] }],
    ['re:mark 12:30', { words: '"re:mark" "12:30"', required: ['re:mark', '12:30'] }],
    ['has:moon from: "" -', { words: '"has:moon" "from:" "-"', required: ['has:moon', 'from:', '-'] }],
    ['has:media is:reply -is:sensitive', { marks: ["'=media'", "'=reply'", "!'=sensitive'"] }],
    ['HAS:Image -has:poll', { marks: ["'=image'", "!'=poll'"] }],
    ['language:DE -language:pt-BR', { marks: ["'=language:de'", "!'=language:pt'"] }],
    ['language:de-AT language:zh-tw', { marks: ["'=language:de'", "'=language:zh-tw'"] }],
    ["language:d'e", { words: '"language:d\'e"', required: ["language:d'e"] }],
    ['from:me', { from: [{ handle: 'me', negated: false }] }],
    [
      '-from:@bob@far.example x',
      { words: '"x"', required: ['x'], from: [{ handle: '@bob@far.example', negated: true }] },
    ],
    ['in:nowhere -in:nowhere cat', { words: '"cat"', required: ['cat'] }],
    ['in:library', { scope: 'library' }],
    ['in:public cat', { scope: 'public', words: '"cat"', required: ['cat'] }],
    ['before:2026-05-03', { toMs: day }],
    ['after:2026-05-03', { fromMs: day + DAY_MS }],
    ['during:2026-05-03', { fromMs: day, toMs: day + DAY_MS }],
    ['-before:2026-05-03', { fromMs: day }],
    ['-after:2026-05-03', { toMs: day + DAY_MS }],
    ['-during:"2026-05-03"', { skipped: [{ fromMs: day, toMs: day + DAY_MS }] }],
    ['after:2026-05-01 before:2026-05-03', { fromMs: day - DAY_MS, toMs: day }],
  ]
  for (const [text, expected] of table) assert.deepEqual(parseStatusQuery(text, 'UTC'), { ...NONE, ...expected }, text)
  assert.throws(() => parseStatusQuery('-in:library', 'UTC'), { message: 'Unprocessable Content', status: 422 })
})

test('a repeated word counts once, and words and operators beyond 32 are ignored', async () => {
  const numbered = (from: number, to: number): string[] =>
    Array.from({ length: to - from + 1 }, (_, at) => `w${from + at}`)
  const read = (text: string): StatusQuery => parseStatusQuery(text, 'UTC')
  assert.deepEqual(read('a "b c" a -d a "b c" -d'), read('a "b c" -d'))
  assert.deepEqual(read(numbered(1, 700).join(' ')), read(numbered(1, 32).join(' ')))
  assert.deepEqual(read(`"${numbered(1, 700).join('-')}"`), read(`"${numbered(1, 32).join('-')}-"`))
  assert.deepEqual(read(`${numbered(1, 30).join(' ')} "${numbered(31, 40).join(' ')}"`).required.at(-1), 'w31 w32')
  const letters = '今日はメール、ที่นี่'.repeat(100)
  const [word = ''] = read(letters).required
  assert.equal(word.match(/[^、ี่]/gu)?.length, 32, 'each letter of a script without spaces is a word')
  assert.ok(letters.startsWith(word))
  assert.equal(read('from:me '.repeat(300)).from.length, 32)
  assert.equal(read(`${numbered(1, 40).join(' ')} has:media`).marks.length, 1)
})

test('dates are days in the user’s time zone, or moments', async () => {
  const table: [string, string, number, number][] = [
    ['2026-05-03', 'UTC', day, DAY_MS],
    ['2026-05-03', 'Europe/Berlin', day - 7_200_000, DAY_MS],
    ['2026-03-29', 'Europe/Berlin', Date.UTC(2026, 2, 28, 23), 23 * 3_600_000],
    ['2026-10-25', 'Europe/Berlin', Date.UTC(2026, 9, 24, 22), 25 * 3_600_000],
    ['2026-05-03', 'Nowhere/Land', day, DAY_MS],
    ['2026-05', 'UTC', Date.UTC(2026, 4, 1), 31 * DAY_MS],
    ['2024', 'UTC', Date.UTC(2024, 0, 1), 366 * DAY_MS],
    ['2026-05-03T10:00:00Z', 'Asia/Tokyo', day + 36_000_000, 1],
    ['2026-05-03T10:00', 'Asia/Tokyo', day + 3_600_000, 1],
    ['2026-05-03T10:00:00.5-02:00', 'UTC', day + 43_200_500, 1],
    ['1777777777777', 'UTC', 1_777_777_777_777, 1],
  ]
  for (const [text, zone, fromMs, lengthMs] of table)
    assert.deepEqual(parseTimeRange(text, zone), { fromMs, toMs: fromMs + lengthMs }, `${text} ${zone}`)
  for (const text of ['yesterday', '2026-02-30', '2026-13', '2026-05-03T25:00', '12'])
    assert.throws(() => parseTimeRange(text, 'UTC'), { message: 'Invalid date supplied', status: 422 }, text)
})
