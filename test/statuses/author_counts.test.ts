import assert from 'node:assert/strict'
import { test } from 'tap'
import { people } from '../support/people.ts'
import { entity } from './status_fixtures.ts'

test('each response shows the number of statuses of its author, as everybody sees it', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const shown = async (): Promise<unknown> =>
    entity((await bob.get(`/api/v1/accounts/${alice.id}`)).json)['statuses_count']
  const post = async (body: object): Promise<{ id: string; count: unknown; last: unknown }> => {
    const status = entity((await alice.post('/api/v1/statuses', body)).json)
    const { statuses_count: count, last_status_at: last } = entity(status['account'])
    return { id: status.id, count, last }
  }
  const today = new Date().toISOString().slice(0, 10)
  assert.equal(await shown(), 0)
  const first = await post({ status: 'one' })
  assert.deepEqual([first.count, await shown()], [1, 1])
  assert.ok(String(first.last) >= today, String(first.last))
  assert.equal((await post({ status: 'two' })).count, 2)
  assert.equal((await post({ status: 'psst', visibility: 'direct' })).count, 2)
  const bobs = await bob.postStatus('boost me')
  await alice.post(`/api/v1/statuses/${bobs.id}/reblog`)
  assert.equal(await shown(), 3)
  await alice.delete(`/api/v1/statuses/${first.id}`)
  assert.equal(await shown(), 2)
  assert.equal((await post({ status: 'three' })).count, 3)
  await Promise.all(Array.from({ length: 20 }, (_, at) => post({ status: `many ${at}` })))
  assert.equal(await shown(), 23)
  assert.equal((await post({ status: 'last' })).count, 24)
  assert.equal((await alice.patch('/api/v1/accounts/update_credentials', { display_name: 'Alice' })).status, 200)
  assert.equal((await post({ status: 'after a change of the profile' })).count, 25)
})

test('the response to a new status is what anybody loads later', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  for (const body of [
    { status: 'plain <b> & "quoted"' },
    { status: `@${bob.username} hello #Tea #art and #zoo` },
    { status: 'see https://example.com/a:b', spoiler_text: 'careful', language: 'de' },
    { status: ':notanemoji: and :a', visibility: 'unlisted' },
  ]) {
    const posted = entity((await alice.post('/api/v1/statuses', body)).json)
    // An interaction and its end make the server load the status again.
    await bob.post(`/api/v1/statuses/${posted.id}/favourite`)
    await bob.post(`/api/v1/statuses/${posted.id}/unfavourite`)
    const { account: first, ...before } = posted
    const { account: second, ...after } = entity((await alice.get(`/api/v1/statuses/${posted.id}`)).json)
    assert.deepEqual(after, before)
    assert.deepEqual(second, first)
  }
})
