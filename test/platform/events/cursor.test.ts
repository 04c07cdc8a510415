import assert from 'node:assert/strict'
import { test } from 'tap'
import { compareCursors, cursorOf, parseCursor } from '../../../src/platform/events/index.ts'

test('a cursor is read back from its text', async () => {
  const cursor = cursorOf({ txid: '12345', id: '678' })
  assert.equal(parseCursor(cursor), cursor)
  assert.equal(parseCursor('0-0'), '0-0')
  assert.equal(parseCursor('18446744073709551615-9223372036854775807'), '18446744073709551615-9223372036854775807')
})

test('strings that are not cursors are rejected', async () => {
  const texts = ['', '1', '1-', '-1', '1-2-3', ' 1-2', '1-2\n', '01-2', '1-02', '1-2x', 'a-b', '１-２', '+1-2', '1--2']
  const tooLarge = ['18446744073709551616-1', '1-9223372036854775808', `${'9'.repeat(1000)}-1`]
  for (const text of [...texts, ...tooLarge]) assert.equal(parseCursor(text), undefined, JSON.stringify(text))
})

test('cursors are ordered by transaction, then by event, as numbers', async () => {
  const ordered = ['0-0', '9-10', '10-0', '10-9', '10-10', '99-1', '100-0']
  const shuffled = [...ordered].reverse().sort(compareCursors)
  assert.deepEqual(shuffled, ordered)
  assert.equal(compareCursors('10-9', '10-9'), 0)
})
