import assert from 'node:assert/strict'
import { test } from 'tap'
import { people, sql, type Person } from '../support/people.ts'
import type { TestServer } from '../support/server.ts'
import { entities, entity, media } from './status_fixtures.ts'

test('concurrent posts are committed together, each with its own response and event', async t => {
  const { server, alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  const stream = await carol.stream('public:local')
  const texts = Array.from({ length: 60 }, (_, at) => `post ${at}`)
  const answers = await Promise.all(
    texts.map((status, at) => (at % 3 === 0 ? alice : bob).post('/api/v1/statuses', { status })),
  )
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200])
  const posted = answers.map(({ json }) => entity(json))
  for (const [at, { content, account }] of posted.entries()) {
    assert.equal(content, `<p>post ${at}</p>`)
    assert.equal(entity(account)['id'], at % 3 === 0 ? alice.id : bob.id)
  }
  const received = new Set<string>()
  while (received.size < texts.length) received.add(((await stream.next('update')).payload as { id: string }).id)
  assert.deepEqual(received, new Set(posted.map(({ id }) => id)))
  const [stored] = await sql(
    server,
    `select count(distinct s.xmin::text)::integer as commits, max(c.statuses_count) as most
     from statuses s join account_stats c using (account_id) where s.account_id in ($1, $2)`,
    [alice.id, bob.id],
  )
  assert.equal(stored?.['most'], '40')
  assert.ok(Number(stored['commits']) < texts.length, `${String(stored['commits'])} commits`)
})

test('a post that cannot be stored does not affect the others', async t => {
  const { server, alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  assert.equal((await bob.get('/api/v1/accounts/verify_credentials')).status, 200)
  // Without an event, so that the server still has the token cached.
  await sql(
    server,
    'delete from applications where id = (select application_id from oauth_tokens join users u on u.id = user_id where u.account_id = $1)',
    [bob.id],
  )
  const key = { 'idempotency-key': 'twice' }
  const [bobs, first, second, ...others] = await Promise.all([
    bob.post('/api/v1/statuses', { status: 'from nowhere' }),
    carol.post('/api/v1/statuses', { status: 'once' }, key),
    carol.post('/api/v1/statuses', { status: 'once' }, key),
    ...Array.from({ length: 20 }, (_, at) => alice.post('/api/v1/statuses', { status: `post ${at}` })),
  ])
  // Of several processes one may not have cached it.
  assert.ok([404, 401].includes(bobs.status), String(bobs.status))
  assert.deepEqual([first.status, second.status, entity(first.json).id], [200, 200, entity(second.json).id])
  assert.deepEqual([...new Set(others.map(({ status }) => status))], [200])
  const [stored] = await sql(server, 'select count(*)::integer as n from statuses where account_id = any ($1)', [
    [alice.id, bob.id, carol.id],
  ])
  assert.equal(stored?.['n'], 21)
})

/** The stored data of an account's statuses with an event each, without times. */
const storedOf = (server: TestServer, account: string): Promise<Record<string, unknown>[]> =>
  sql(
    server,
    `select
       to_jsonb(s) - '{id,account_id,application_id,conversation_id,created_at,media_attachment_ids}'::text[] as status,
       cardinality(s.media_attachment_ids) as files, e.data - '{conversation_id,author_counts}'::text[] as facts,
       s.conversation_id = (e.data ->> 'conversation_id')::bigint as same_conversation,
       exists (select from conversations c where c.id = s.conversation_id) as has_conversation,
       exists (select from idempotency_keys k where k.status_id = s.id) as has_key,
       (select array_agg(t.tag_id order by t.tag_id) from status_tags t where t.status_id = s.id) as tags
     from statuses s
     join events e on e.status_id = s.id and e.kind = 'status.created'
     where s.account_id = $1
     order by s.text`,
    [account],
  )

test('a post that is stored with others equals one that is stored alone', async t => {
  const { server, alice, bob, carol, dave } = await people(t, 'alice', 'bob', 'carol', 'dave')
  // An author with new-post subscribers is stored in another way.
  await carol.post(`/api/v1/accounts/${dave.id}/follow`, { notify: true })
  const bodies = async (author: Person): Promise<Record<string, unknown>[]> => [
    { status: 'plain' },
    { status: 'with a warning', spoiler_text: 'careful', language: 'de' },
    { status: 'sensitive', sensitive: true, visibility: 'unlisted' },
    { status: 'for some', visibility: 'private', quote_approval_policy: 'nobody' },
    { status: 'about #this and #that' },
    { status: 'with a file', media_ids: await media(server, author, [{ type: 'image' }]) },
    { status: 'see https://example.com/page' },
    { status: 'with a key', key: true },
  ]
  const post = async (author: Person, { key, ...body }: Record<string, unknown>): Promise<void> => {
    const response = await author.post('/api/v1/statuses', body, key === true ? { 'idempotency-key': author.id } : {})
    assert.equal(response.status, 200, response.text)
  }
  for (const body of await bodies(alice)) await post(alice, body)
  const crowd = Array.from({ length: 5 }, (_, at) => post(carol, { status: `one of many ${at}` }))
  const bursts = await Promise.all([bob, dave].map(async author => ({ author, bodies: await bodies(author) })))
  await Promise.all([...crowd, ...bursts.flatMap(burst => burst.bodies.map(body => post(burst.author, body)))])
  const alone = await storedOf(server, alice.id)
  assert.equal(alone.length, 8)
  for (const { id } of [bob, dave]) assert.deepEqual(await storedOf(server, id), alone)
  const received = (await carol.get('/api/v1/notifications', { 'types[]': 'status', limit: '40' })).json
  assert.equal(entities(received).length, 8)
})
