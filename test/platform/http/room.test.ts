import assert from 'node:assert/strict'
import { test } from 'tap'
import { createRoom } from '../../../src/platform/http/body_memory.ts'

test('nobody has more of a room than a share, and what is given back is there for others', async () => {
  const room = createRoom({ mostBytes: 100, ownBytes: 60 })
  const first = room.open('a')
  assert.equal(first.take(60), undefined)
  assert.equal(room.open('a').take(1)?.failure, 'tooManyRequests')
  assert.equal(room.open('b').take(41)?.failure, 'unavailable')
  const second = room.open('b')
  assert.equal(second.take(40), undefined)
  first.give(10)
  assert.equal(second.take(10), undefined)
  first.release()
  first.release()
  assert.equal(room.open('a', 'c').take(50), undefined)
  assert.equal(room.open('c').take(11)?.failure, 'unavailable', 'it was given back once')
})

test('what is small is taken also when the room is full, until the reserve is', async () => {
  const room = createRoom({ mostBytes: 100, ownBytes: 100, small: { mostBytes: 5, reserveBytes: 10 } })
  assert.equal(room.open('a').take(100), undefined)
  const small = room.open('b')
  assert.equal(small.take(5), undefined)
  assert.equal(small.take(1)?.failure, 'unavailable')
  assert.equal(room.open('c').take(5), undefined)
  assert.equal(room.open('d').take(1)?.failure, 'unavailable')
})

test('a request counts for all who are behind it', async () => {
  const room = createRoom({ mostBytes: 1000, ownBytes: 100 })
  assert.equal(room.open('user 1', 'address').take(60), undefined)
  assert.equal(room.open('user 2', 'address').take(60)?.failure, 'tooManyRequests')
  assert.equal(room.open('user 2', 'other').take(60), undefined)
})
