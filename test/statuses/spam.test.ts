import assert from 'node:assert/strict'
import { test, type Test } from 'tap'
import { until } from '../media/attachments/media_fixtures.ts'
import { publishNow, schedule } from './scheduled/scheduled_fixtures.ts'
import { people, sql, waitForEventLog, type Person } from '../support/people.ts'
import type { TestServer } from '../support/server.ts'
import { entities, entity, media, tell } from './status_fixtures.ts'

async function name(t: Test, server: TestServer, witness: Person, phrases: string): Promise<void> {
  const set = async (value: string): Promise<void> => {
    await tell(
      server,
      `with stored as (
         insert into settings (key, value) values ('spam_phrases', to_jsonb($1::text))
         on conflict (key) do update set value = excluded.value returning key
       )
       insert into events (kind, data) select 'settings.changed', jsonb_build_object('key', stored.key) from stored`,
      [value],
    )
    await waitForEventLog(witness)
  }
  await set(phrases)
  t.after(() => set(''))
}

const members = (status: Record<string, unknown>): string[] => Object.keys(status)

test('spam to accounts that do not follow gets a success response, and is not stored', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  const open = await bob.postStatus('open')
  const normal = await alice.postStatus('plain', { in_reply_to_id: open.id })
  await name(t, server, alice, 'Cheap watches\n\n  buy  NOW \n')
  await carol.follow(alice)
  const [file = ''] = await media(server, alice, [{ type: 'image' }])
  const stream = await bob.stream('user')
  const before = await sql(server, 'select count(*)::integer as n from events')
  const cases: [string, Record<string, unknown>][] = [
    [`@${bob.username} CHEAP watches here #deal`, { media_ids: [file], spoiler_text: 'cw' }],
    ['get cheap watches', { in_reply_to_id: open.id, poll: { options: ['a', 'b'], expires_in: 600 } }],
    [`@${bob.username} @${carol.username} buy  now`, { visibility: 'direct' }],
  ]
  for (const [status, more] of cases) {
    const headers = { 'idempotency-key': status }
    const response = await alice.request('POST', '/api/v1/statuses', { body: { status, ...more }, headers })
    assert.equal(response.status, 200, response.text)
    const pretended = entity(response.json)
    const shape = members(normal).filter(member => member !== 'pinned' || more['visibility'] !== 'direct')
    assert.deepEqual(members(pretended), shape)
    assert.match(String(pretended['content']), /watches|buy/i)
    assert.equal(entity(pretended['account']).id, alice.id)
    assert.equal(entities(pretended['media_attachments']).length, more['media_ids'] ? 1 : 0)
    assert.equal(pretended['poll'] === null, more['poll'] === undefined)
    assert.equal(pretended['in_reply_to_id'], more['in_reply_to_id'] ?? null)
    assert.equal((await alice.get(`/api/v1/statuses/${pretended.id}`)).status, 404)
  }
  assert.deepEqual(await sql(server, 'select count(*)::integer as n from events'), before)
  assert.deepEqual(
    await sql(server, `select text from statuses where account_id = $1 and text <> 'plain'`, [alice.id]),
    [{ text: 'witness' }],
  )
  assert.deepEqual((await bob.get('/api/v1/notifications')).json, [])
  assert.equal((await alice.get(`/api/v1/media/${file}`)).status, 200, 'the file is as free as before')
  const mark = await bob.postStatus('mark')
  const received = await stream.upTo('update', ({ payload }) => entity(payload).id === mark.id)
  assert.equal(received.length, 1)
})

test('posts to followers, without mentions or without the phrases are posted', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  await carol.follow(alice)
  const own = await alice.postStatus('own')
  const byCarol = await carol.postStatus('hers')
  await name(t, server, alice, 'cheap watches')
  const cases: [string, Record<string, unknown>][] = [
    ['cheap watches', {}],
    [`@${carol.username} cheap watches`, {}],
    ['cheap watches', { in_reply_to_id: own.id }],
    ['cheap watches', { in_reply_to_id: byCarol.id }],
    [`@${bob.username} cheap\nwatches`, {}],
  ]
  for (const [status, more] of cases) {
    const posted = await alice.postStatus(status, more)
    assert.equal((await bob.get(`/api/v1/statuses/${posted.id}`)).status, 200)
  }
})

test('a scheduled one is dropped when it is due', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const { id } = await schedule(alice, { status: `@${bob.username} cheap watches` })
  await name(t, server, alice, 'cheap watches')
  await publishNow(server, id)
  await until(
    () => sql(server, 'select id from scheduled_statuses where id = $1', [id]),
    rows => rows.length === 0,
    'it to be dropped',
  )
  assert.deepEqual((await bob.get('/api/v1/notifications')).json, [])
})
