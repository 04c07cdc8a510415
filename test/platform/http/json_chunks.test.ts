import assert from 'node:assert/strict'
import { test } from 'tap'
import { encode, Json, list } from '../../../src/platform/http/json_chunks.ts'

/** Alternating chunks of text and bytes. */
const piecesOf = (count: number, length: number): Json =>
  new Json(
    Array.from({ length: count }, (_, index) => (index % 2 === 0 ? 'é'.repeat(length) : Buffer.alloc(length, 'b'))),
  )

test('any number of chunks become the bytes of their text', async () => {
  for (const json of [new Json('"é"'), list([]), list([new Json('1'), piecesOf(3, 5)]), piecesOf(100, 50_000)])
    assert.equal(encode(json).equals(Buffer.from(json.text)), true)
})

test('the memory for responses is reused, but not after a large one', async () => {
  const small = new Json('1')
  const large = encode(piecesOf(100, 50_000)).buffer
  const reused = encode(small).buffer
  assert.notEqual(reused, large)
  assert.equal(encode(piecesOf(10, 1000)).buffer, reused)
})
