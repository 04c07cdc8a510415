import assert from 'node:assert/strict'
import test from 'node:test'
import { people } from '../support/people.ts'

test('a public post reaches the public streams', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const stream = await alice.stream('public')
  const status = await bob.say('hello')
  const { payload } = await stream.next('update')
  assert.equal((payload as { id: string }).id, status.id)
})
