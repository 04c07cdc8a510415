import assert from 'node:assert/strict'
import { test } from 'tap'
import { useBudget } from '../support/budget.ts'
import type { ClientResponse } from '../support/client.ts'
import { person } from '../support/people.ts'
import { startServer } from '../support/server.ts'
import { entity } from './status_fixtures.ts'

/** Status, limit and remaining requests, as in the response. */
const toldBy = ({ status, headers }: ClientResponse): unknown[] => [
  status,
  headers.get('x-ratelimit-limit'),
  headers.get('x-ratelimit-remaining'),
]

test('300 statuses and edits in three hours: refused ones and boosts are not counted, and each response shows the rest', async t => {
  const server = await startServer(t, { env: { RATE_LIMITS: 'on' } })
  const [alice, bob] = [await person(server, 'alice'), await person(server, 'bob')]
  const { id: other } = await bob.postStatus('worth it')
  await useBudget(server, 'statuses', alice.id, 298)
  const posted = await alice.post('/api/v1/statuses', { status: 'one' })
  const { id } = entity(posted.json)
  const path = `/api/v1/statuses/${id}`
  const boost = (): Promise<ClientResponse> => alice.post(`/api/v1/statuses/${other}/reblog`)
  assert.deepEqual(toldBy(posted), [200, '300', '1'])
  for (const refused of [
    await alice.post('/api/v1/statuses', { status: ' ' }),
    await alice.post('/api/v1/statuses', { status: 'x', visibility: 'everyone' }),
    await alice.post('/api/v1/statuses', { status: 'x', poll: { options: ['a'] } }),
    await alice.put(path, { status: ' ' }),
  ])
    assert.deepEqual(toldBy(refused), [422, '300', '1'], refused.text)
  assert.deepEqual(toldBy(await boost()), [200, '300', '1'])
  assert.deepEqual(toldBy(await alice.put(path, { status: 'two' })), [200, '300', '0'])
  for (const late of [
    await alice.post('/api/v1/statuses', { status: 'three' }),
    await alice.put(path, { status: 'three' }),
    await alice.post('/api/v1/statuses', { status: 'x', visibility: 'everyone' }),
  ]) {
    assert.deepEqual(toldBy(late), [429, '300', '0'])
    assert.deepEqual(late.json, { error: 'Too many requests' })
    assert.match(late.headers.get('x-ratelimit-reset') ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
  }
  assert.deepEqual(toldBy(await boost()), [200, '300', '0'])
  assert.match(String(entity((await alice.get(path)).json)['content']), /two/)
})

test('a repetition with a known Idempotency-Key counts as nothing, also when nothing is left', async t => {
  const server = await startServer(t, { env: { RATE_LIMITS: 'on' } })
  const alice = await person(server, 'alice')
  await useBudget(server, 'statuses', alice.id, 297)
  const post = (key: string, more = {}): Promise<ClientResponse> =>
    alice.post('/api/v1/statuses', { status: key, ...more }, { 'idempotency-key': key })
  const at = new Date(Date.now() + 3_600_000).toISOString()
  const first = await post('a')
  assert.deepEqual(toldBy(first), [200, '300', '2'])
  const again = await post('a')
  assert.deepEqual([...toldBy(again), entity(again.json).id], [200, '300', '2', entity(first.json).id])
  const scheduled = await post('b', { scheduled_at: at })
  assert.deepEqual(toldBy(scheduled), [200, '300', '1'])
  const last = await post('c')
  assert.deepEqual(toldBy(last), [200, '300', '0'])
  for (const [key, more, { json }] of [
    ['a', {}, first],
    ['b', { scheduled_at: at }, scheduled],
    ['c', {}, last],
  ] as const) {
    const repeated = await post(key, more)
    assert.deepEqual([...toldBy(repeated), entity(repeated.json).id], [200, '300', '0', entity(json).id])
  }
  for (const late of [await post('d'), await post('a', { visibility: 'everyone' })])
    assert.deepEqual(toldBy(late), [429, '300', '0'])
})

test('thirty statuses or boosts are deleted in half an hour', async t => {
  const server = await startServer(t, { env: { RATE_LIMITS: 'on' } })
  const alice = await person(server, 'alice')
  const windowOf = (): number => Math.floor(Date.now() / (30 * 60 * 1000))
  const began = windowOf()
  const takeBack = (index: number): Promise<ClientResponse> =>
    index % 2 === 0 ? alice.delete('/api/v1/statuses/12') : alice.post('/api/v1/statuses/12/unreblog')
  for (let count = 0; count < 30; count += 1) assert.equal((await takeBack(count)).status, 404)
  for (const count of [30, 31]) {
    const late = await takeBack(count)
    if (windowOf() === began) assert.deepEqual(toldBy(late), [429, '30', '0'])
  }
})
