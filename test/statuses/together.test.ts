import assert from 'node:assert/strict'
import test from 'node:test'
import { people, sql } from '../support/people.ts'
import { entity } from './support.ts'

test('posts that come at once are committed together, each with its own answer and event', async t => {
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
  const heard = new Set<string>()
  while (heard.size < texts.length) heard.add(((await stream.next('update')).payload as { id: string }).id)
  assert.deepEqual(heard, new Set(posted.map(({ id }) => id)))
  const [stored] = await sql(
    server,
    `select count(distinct s.xmin::text)::integer as commits, max(c.statuses_count) as most
     from statuses s join account_stats c using (account_id) where s.account_id in ($1, $2)`,
    [alice.id, bob.id],
  )
  assert.equal(stored?.['most'], '40')
  assert.ok(Number(stored['commits']) < texts.length, `${String(stored['commits'])} commits`)
})

test('one that cannot be stored does not touch the others', async t => {
  const { server, alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  assert.equal((await bob.get('/api/v1/accounts/verify_credentials')).status, 200)
  // Behind the server's back, which goes on knowing the token.
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
  assert.equal(bobs.status, 404)
  assert.deepEqual([first.status, second.status, entity(first.json).id], [200, 200, entity(second.json).id])
  assert.deepEqual([...new Set(others.map(({ status }) => status))], [200])
  const [stored] = await sql(server, 'select count(*)::integer as n from statuses where account_id = any ($1)', [
    [alice.id, bob.id, carol.id],
  ])
  assert.equal(stored?.['n'], 21)
})
