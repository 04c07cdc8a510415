import assert from 'node:assert/strict'
import test from 'node:test'
import { createRoom } from '../../src/http/body.ts'

const MEGABYTE = 1024 * 1024

test('large bodies share a room; small ones are always taken', () => {
  const room = createRoom(10 * MEGABYTE)
  const [first, second] = [room.open(), room.open()]
  assert.ok(first.take(9 * MEGABYTE))
  assert.ok(second.take(MEGABYTE))
  assert.ok(!second.take(1), 'the room is full')
  assert.ok(room.open().take(MEGABYTE), 'a small one is taken nevertheless')
  first.release()
  assert.ok(second.take(5 * MEGABYTE))
})

test('what is given back is given back once', () => {
  const room = createRoom(10 * MEGABYTE)
  const first = room.open()
  assert.ok(first.take(8 * MEGABYTE))
  first.release()
  first.release()
  const second = room.open()
  assert.ok(second.take(10 * MEGABYTE))
  assert.ok(!room.open().take(2 * MEGABYTE))
})
