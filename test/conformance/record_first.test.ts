import assert from 'node:assert/strict'
import { test } from 'tap'
import { people, type Person } from '../support/people.ts'
import { ask } from '../statuses/polls/poll_fixtures.ts'
import { entity, media } from '../statuses/status_fixtures.ts'

const MISSING = '999999999999'
const long = (length: number): string => 'x'.repeat(length)

test('a missing or foreign record comes before errors in the parameters', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const list = await create(bob, '/api/v1/lists', { title: 'friends' })
  const filter = await create(bob, '/api/v2/filters', { title: 'noise', context: ['home'] })
  const keyword = await create(bob, `/api/v2/filters/${filter}/keywords`, { keyword: 'tapir' })
  const scheduled = await create(bob, '/api/v1/statuses', {
    status: 'later',
    scheduled_at: new Date(Date.now() + 3_600_000),
  })
  const [file = ''] = await media(server, bob, [{ type: 'image' }])
  const { id: status } = await bob.postStatus('mine')
  const described = { status: 'x', media_attributes: [{ id: '1', description: long(20_000) }] }
  const cases: [method: string, path: string, foreign: string, body: object][] = [
    ['PUT', '/api/v1/lists/:id', list, { replies_policy: 'some' }],
    ['POST', '/api/v1/accounts/:id/mute', MISSING, { duration: -1 }],
    ['PUT', '/api/v2/filters/:id', filter, { title: long(257) }],
    ['POST', '/api/v2/filters/:id/keywords', filter, { keyword: ' ' }],
    ['PUT', '/api/v2/filters/keywords/:id', keyword, { keyword: ' ' }],
    ['POST', '/api/v2/filters/:id/statuses', filter, { status_id: 'x' }],
    ['PUT', '/api/v1/filters/:id', keyword, { phrase: ' ' }],
    ['PUT', '/api/v1/media/:id', file, { description: long(20_000) }],
    ['PUT', '/api/v1/statuses/:id', status, described],
    ['PUT', '/api/v1/scheduled_statuses/:id', scheduled, { scheduled_at: 'soon' }],
  ]
  for (const [method, path, foreign, body] of cases) {
    for (const id of [MISSING, foreign]) {
      const { status: code, json } = await alice.request(method, path.replace(':id', id), { body })
      assert.deepEqual(
        [code, json],
        [404, { error: 'Record not found' }],
        `${path} ${JSON.stringify(body).slice(0, 40)}`,
      )
    }
    if (foreign === MISSING) continue
    const own = await bob.request(method, path.replace(':id', foreign), { body })
    assert.equal(own.status, 422, `${path} of its owner`)
  }
  const report = { account_id: MISSING, category: 'rude' }
  assert.equal((await alice.post('/api/v1/reports', report)).status, 404)
  assert.equal((await alice.post('/api/v1/reports', { ...report, account_id: bob.id })).status, 422)
})

test('a missing poll or a block comes before errors in the choices', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  const { poll } = await ask(bob, ['a', 'b'])
  const verdicts = async (id: string): Promise<number[]> => {
    const votes = [['x'], []].map(choices => alice.post(`/api/v1/polls/${id}/votes`, { choices }))
    return (await Promise.all(votes)).map(vote => vote.status)
  }
  assert.deepEqual(await verdicts(MISSING), [404, 404])
  assert.deepEqual(await verdicts(poll.id), [422, 400])
  await alice.post(`/api/v1/accounts/${bob.id}/block`)
  assert.deepEqual(await verdicts(poll.id), [403, 403])
})

/** Posts the body and returns the id of what that made. */
async function create(who: Person, path: string, body: object): Promise<string> {
  const { status, json, text } = await who.post(path, body)
  assert.equal(status, 200, text)
  return entity(json).id
}
