import assert from 'node:assert/strict'
import { test } from 'tap'
import { useBudget } from '../support/budget.ts'
import type { ClientResponse } from '../support/client.ts'
import { person, sql } from '../support/people.ts'
import { startServer } from '../support/server.ts'

const leftIn = ({ headers }: ClientResponse): string[] => [
  headers.get('x-ratelimit-limit') ?? '',
  headers.get('x-ratelimit-remaining') ?? '',
]

test('the daily follow limit counts new follows, requests and followed hashtags, not changed options', async t => {
  const server = await startServer(t, { env: { RATE_LIMITS: 'on' } })
  const alice = await person(server, 'alice')
  const [bob, carol, dave] = [await person(server, 'bob'), await person(server, 'carol'), await person(server, 'dave')]
  await sql(server, 'update accounts set locked = true where id = $1', [carol.id])
  const follow = (id: string, options = {}): Promise<ClientResponse> =>
    alice.post(`/api/v1/accounts/${id}/follow`, options)
  await useBudget(server, 'follows', alice.id, 397)
  const begun = await follow(bob.id)
  assert.equal(begun.status, 200)
  for (const options of [{ notify: true }, { reblogs: false }, {}]) {
    const changed = await follow(bob.id, options)
    assert.deepEqual([changed.status, (changed.json as { notifying: boolean }).notifying], [200, true])
  }
  assert.equal((await follow(alice.id)).status, 403)
  assert.deepEqual([(await follow(carol.id)).status, (await alice.post('/api/v1/tags/mill/follow')).status], [200, 200])
  const refused = [await follow(dave.id), await alice.post('/api/v1/tags/race/follow')]
  for (const response of refused) {
    assert.deepEqual(
      [response.status, response.json, leftIn(response)],
      [429, { error: 'Too many requests' }, ['400', '0']],
    )
  }
  for (const still of [
    await follow(bob.id, { notify: false }),
    await follow(carol.id, { notify: true }),
    await alice.post('/api/v1/tags/mill/follow'),
  ]) {
    assert.deepEqual([still.status, leftIn(still)], [200, ['400', '0']], still.text)
  }
  const [left] = (await alice.get('/api/v1/accounts/relationships', { id: dave.id })).json as Record<string, unknown>[]
  assert.deepEqual([left?.['following'], left?.['requested']], [false, false])
  const tags = (await alice.get('/api/v1/followed_tags')).json as { name: string }[]
  assert.deepEqual(
    tags.map(tag => tag.name),
    ['mill'],
  )
  assert.equal((await alice.post(`/api/v1/accounts/${bob.id}/unfollow`)).status, 200)
})
