import assert from 'node:assert/strict'
import { test } from 'tap'
import { people } from '../../support/people.ts'

const MANY = 400

test('sockets that open at the same time are all subscribed', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const sockets = await Promise.all(
    Array.from({ length: MANY }, (_, one) => alice.stream('hashtag', { tag: `s${one}` })),
  )
  const tags = (from: number, to: number): string =>
    sockets
      .slice(from, to)
      .map((_, one) => `#s${from + one}`)
      .join(' ')
  for (let from = 0; from < MANY; from += 80) {
    const { id } = await bob.postStatus(tags(from, from + 80))
    for (const socket of sockets.slice(from, from + 80)) {
      assert.equal(((await socket.next('update')).payload as { id: string }).id, id)
    }
  }
})
