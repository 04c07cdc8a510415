import assert from 'node:assert/strict'
import { test } from 'tap'
import { parseRetryAfter } from '../../../src/notifications/push/retry_after.ts'

const NOW_MS = Date.parse('2026-03-01T12:00:00Z')

test('Retry-After is parsed as seconds or as a date', async () => {
  const waits: [string | string[] | undefined, number | undefined][] = [
    ['0', 0],
    [' 120 ', 120_000],
    ['Sun, 01 Mar 2026 12:01:00 GMT', 60_000],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
    ['soon', undefined],
    ['1.5e400', undefined],
    ['', undefined],
    [['1', '2'], undefined],
    [undefined, undefined],
  ]
  for (const [header, wait] of waits) assert.equal(parseRetryAfter(header, NOW_MS), wait, String(header))
})
