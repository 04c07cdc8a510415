import assert from 'node:assert/strict'
import { test } from 'tap'
import { linkOf } from '../../support/client.ts'
import { people, sql } from '../../support/people.ts'
import { entities, entity, errorOf, media } from '../status_fixtures.ts'
import { inHours, schedule } from './scheduled_fixtures.ts'

test('a status is scheduled, shown as it was sent, and not posted', async t => {
  const { alice, bob, anonymous, server } = await people(t, 'alice', 'bob')
  const { id: parent } = await bob.postStatus('parent')
  const at = inHours(2)
  const [file] = await media(server, alice, [{ type: 'image', description: 'a tapir' }])
  const made = await schedule(alice, {
    status: ' hello ',
    scheduled_at: at,
    in_reply_to_id: parent,
    media_ids: [file],
    poll: { options: ['a', 'b'], expires_in: 600 },
    visibility: 'unlisted',
    quote_approval_policy: 'followers',
  })
  assert.deepEqual(Object.keys(made), ['id', 'scheduled_at', 'params', 'media_attachments'])
  assert.equal(made['scheduled_at'], at)
  assert.deepEqual(
    entities(made['media_attachments']).map(one => [one.id, one['description']]),
    [[file, 'a tapir']],
  )
  const response = await alice.get(`/api/v1/scheduled_statuses/${made.id}`)
  assert.match(response.text, new RegExp(`"in_reply_to_id":${parent},`), 'a number with all its digits')
  const { in_reply_to_id: _, application_id: application, ...params } = entity(entity(response.json)['params'])
  assert.equal(typeof application, 'number')
  assert.deepEqual(params, {
    text: ' hello ',
    poll: { options: ['a', 'b'], expires_in: 600 },
    media_ids: [file],
    sensitive: null,
    spoiler_text: null,
    visibility: 'unlisted',
    language: null,
    scheduled_at: null,
    idempotency: null,
    with_rate_limit: false,
    quoted_status_id: null,
    quote_approval_policy: 'followers',
  })
  assert.deepEqual((await alice.get(`/api/v1/accounts/${alice.id}/statuses`)).json, [])
  assert.equal(entity((await alice.get(`/api/v1/accounts/${alice.id}`)).json)['statuses_count'], 0)
  assert.equal(entity((await alice.get(`/api/v1/statuses/${parent}`)).json)['replies_count'], 0)
  const foreign = await bob.get(`/api/v1/scheduled_statuses/${made.id}`)
  assert.deepEqual([foreign.status, errorOf(foreign)], [404, 'Record not found'])
  assert.deepEqual((await bob.get('/api/v1/scheduled_statuses')).json, [])
  assert.equal((await anonymous.get('/api/v1/scheduled_statuses')).status, 401)
  const used = await alice.post('/api/v1/statuses', { status: 'x', media_ids: [file] })
  assert.equal(errorOf(used), `Media ${file} not found or already attached to another post`)
})

test('invalid schedules are refused', async t => {
  const { alice } = await people(t, 'alice')
  const soon = new Date(Date.now() + 299_000).toISOString()
  for (const [given, message] of [
    [{ status: 'x', scheduled_at: soon }, 'Validation failed: Scheduled at date must be in the future'],
    [{ status: 'x', scheduled_at: 'whenever' }, 'Record invalid'],
    [{ status: ' ', scheduled_at: inHours(1) }, 'Record invalid'],
    [{ status: 'x'.repeat(501), scheduled_at: inHours(1) }, 'Record invalid'],
    [{ status: 'x', poll: { options: ['a'] }, scheduled_at: inHours(1) }, 'Record invalid'],
    [
      { status: 'x', media_ids: ['7'], scheduled_at: inHours(1) },
      'Media 7 not found or already attached to another post',
    ],
  ] as const) {
    const refused = await alice.post('/api/v1/statuses', given)
    assert.deepEqual([refused.status, errorOf(refused)], [422, message])
  }
  const past = await alice.post('/api/v1/statuses', { status: 'x', scheduled_at: inHours(-1) })
  assert.match(String(entity(past.json)['content']), /x/, 'what is past is posted at once')
  assert.deepEqual((await alice.get('/api/v1/scheduled_statuses')).json, [])
})

test('the list is paged by id, newest first', async t => {
  const { alice } = await people(t, 'alice')
  const ids: string[] = []
  for (const hours of [3, 1, 2]) ids.unshift((await schedule(alice, { scheduled_at: inHours(hours) })).id)
  const idsOf = (response: { json: unknown }): string[] => entities(response.json).map(one => one.id)
  assert.deepEqual(idsOf(await alice.get('/api/v1/scheduled_statuses')), ids)
  const first = await alice.get('/api/v1/scheduled_statuses', { limit: '2' })
  assert.deepEqual(idsOf(first), ids.slice(0, 2))
  const next = linkOf(first, 'next')
  assert.equal(next, `/api/v1/scheduled_statuses?limit=2&max_id=${ids[1]}`)
  const last = await alice.get(next)
  assert.deepEqual(idsOf(last), ids.slice(2))
  assert.equal(linkOf(last, 'next'), undefined, 'the page is not full')
  assert.match(linkOf(last, 'prev') ?? '', new RegExp(`min_id=${ids[2]}$`))
  assert.equal((await alice.get('/api/v1/scheduled_statuses', { max_id: ids[2] ?? '' })).headers.get('link'), null)
  assert.deepEqual(idsOf(await alice.get('/api/v1/scheduled_statuses', { min_id: ids[2] ?? '', limit: '1' })), [ids[1]])
})

test('a scheduled status is moved to another time, unless that is too soon', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const { id } = await schedule(alice)
  const path = `/api/v1/scheduled_statuses/${id}`
  const at = inHours(30)
  assert.equal(entity((await alice.put(path, { scheduled_at: at })).json)['scheduled_at'], at)
  const before = (await alice.patch(path, {})).json
  assert.equal(entity(before)['scheduled_at'], at)
  const jobs = await sql(server, 'select run_at from graphile_worker.jobs where key = $1', [
    `scheduled_statuses.publish:${id}`,
  ])
  assert.deepEqual(jobs, [{ run_at: new Date(at) }])
  const soon = await alice.put(path, { scheduled_at: inHours(0) })
  assert.equal(errorOf(soon), 'Validation failed: Scheduled at date must be in the future')
  const more = { scheduled_at: at, status: 'other', visibility: 'direct', media_ids: ['1'] }
  const moved = await alice.put(path, more)
  assert.deepEqual(moved.json, before, 'only the time can be changed')
  for (const [who, where] of [
    [bob, path],
    [alice, '/api/v1/scheduled_statuses/1'],
  ] as const)
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const missing = await who.request(method, where, method === 'PUT' ? { body: { scheduled_at: at } } : {})
      assert.deepEqual([missing.status, errorOf(missing)], [404, 'Record not found'])
    }
})

test('25 a day and 300 in total are the limits', async t => {
  const { alice, server } = await people(t, 'alice')
  const fill = (amount: number, at: string): Promise<unknown> =>
    sql(
      server,
      `insert into scheduled_statuses (account_id, scheduled_at, params, settled)
       select $1, $2, '{"media_ids": null}', '{}' from generate_series(1, $3)`,
      [alice.id, at, amount],
    )
  const noon = `${inHours(48).slice(0, 10)}T12:00:00.000Z`
  await fill(24, noon)
  const answers = await Promise.all(
    ['one', 'two'].map(status => alice.post('/api/v1/statuses', { status, scheduled_at: noon })),
  )
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [200, 422],
  )
  const refused = answers.find(({ status }) => status === 422)
  assert.ok(refused)
  assert.equal(errorOf(refused), 'Validation failed: You have exceeded the limit of 25 scheduled posts for today')
  const other = await schedule(alice, { scheduled_at: inHours(96) })
  const moved = await alice.put(`/api/v1/scheduled_statuses/${other.id}`, { scheduled_at: noon })
  assert.equal(errorOf(moved), 'Validation failed: You have exceeded the limit of 25 scheduled posts for today')
  for (let day = 10; day < 21; day += 1) await fill(25, inHours(24 * day))
  const full = await alice.post('/api/v1/statuses', { status: 'x', scheduled_at: inHours(24 * 30) })
  assert.equal(full.status, 422)
  assert.equal(errorOf(full), 'Validation failed: You have exceeded the limit of 300 scheduled posts')
  const over = await alice.put(`/api/v1/scheduled_statuses/${other.id}`, { scheduled_at: inHours(24 * 30) })
  assert.equal(errorOf(over), 'Validation failed: You have exceeded the limit of 300 scheduled posts')
})

test('a cancelled one is deleted, and its files are released', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const [file] = await media(server, alice, [{ type: 'image' }])
  const { id } = await schedule(alice, { media_ids: [file] })
  const path = `/api/v1/scheduled_statuses/${id}`
  assert.equal((await bob.delete(path)).status, 404)
  const gone = await alice.delete(path)
  assert.deepEqual([gone.status, gone.json], [200, {}])
  assert.equal((await alice.delete(path)).status, 404)
  assert.equal(entities((await alice.postStatus('now', { media_ids: [file] }))['media_attachments']).length, 1)
})

test('with a key a status is scheduled once', async t => {
  const { alice } = await people(t, 'alice')
  const body = { status: 'once', scheduled_at: inHours(1) }
  const headers = { 'idempotency-key': 'the key' }
  const answers = await Promise.all([1, 2, 3].map(() => alice.request('POST', '/api/v1/statuses', { body, headers })))
  assert.equal(new Set(answers.map(response => entity(response.json).id)).size, 1)
  assert.equal(entities((await alice.get('/api/v1/scheduled_statuses')).json).length, 1)
})
