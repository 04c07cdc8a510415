import assert from 'node:assert/strict'
import test from 'node:test'
import { makeToken, people, person, sql } from '../support/people.ts'
import { registerApplication } from '../support/oauth.ts'
import { startServer } from '../support/server.ts'
import { openSocket } from '../support/socket.ts'

test('a revoked token ends its streams, and no others', async t => {
  const { alice, server } = await people(t, 'alice')
  const app = await registerApplication(server, { scopes: 'read write' })
  await sql(server, `update oauth_tokens set application_id = $2 where user_id = $1`, [alice.userId, app.id])
  const other = await openSocket(server, await makeToken(server, alice.userId), 'user')
  t.after(() => other.close())
  const socket = await alice.stream('user')
  const events = await alice.events('user')
  const revoked = await alice.post('/oauth/revoke', {
    client_id: app.client_id,
    client_secret: app.client_secret,
    token: alice.token,
  })
  assert.equal(revoked.status, 200, revoked.text)
  assert.equal((await socket.end()).code, 1000)
  await events.end()
  const id = 'still open'
  await sql(server, `insert into events (kind, account_id) values ('filters.changed', $1)`, [alice.id])
  assert.equal((await other.next('filters_changed')).payload, undefined, id)
})

const ENDS: Readonly<Record<string, (name: string) => string>> = {
  'all tokens are revoked': () => `insert into events (kind, account_id) values ('token.revoked', $1)`,
  'the login is disabled': () => `
    with changed as (update users set disabled = true where account_id = $1 returning account_id)
    insert into events (kind, account_id, data) select 'user.changed', account_id, '{"what": "disabled"}' from changed`,
  'the password is changed': () =>
    `insert into events (kind, account_id, data) values ('user.changed', $1, '{"what": "password"}')`,
  'the account is suspended': () => `
    with changed as (update accounts set suspended_at = now() where id = $1 returning id)
    insert into events (kind, account_id, data) select 'account.changed', id, '{"what": "suspended"}' from changed`,
  'the account is deleted': () => `
    with gone as (delete from accounts where id = $1 returning id)
    insert into events (kind, account_id) select 'account.deleted', id from gone`,
}

for (const [reason, statement] of Object.entries(ENDS)) {
  test(`streams end when ${reason}`, async t => {
    const { alice, bob, server } = await people(t, 'alice', 'bob')
    const socket = await alice.stream('user')
    const events = await alice.events('public')
    const stays = await bob.stream('user')
    await sql(server, statement(reason), [alice.id])
    assert.equal((await socket.end()).code, 1000)
    await events.end()
    await sql(server, `insert into events (kind, account_id) values ('filters.changed', $1)`, [bob.id])
    await stays.next('filters_changed')
  })
}

test('a change of the profile ends nothing', async t => {
  const { alice } = await people(t, 'alice')
  const socket = await alice.stream('user')
  await alice.patch('/api/v1/accounts/update_credentials', { display_name: 'Alice' })
  const { id } = await alice.say('still here')
  await socket.next('update', ({ payload }) => (payload as { id: string }).id === id)
})

test('a server that stops closes sockets with 1001 and ends streams of events', async t => {
  const server = await startServer(t)
  const alice = await person(server, 'alice')
  const sockets = await Promise.all([alice.stream('user'), alice.stream('public'), alice.stream()])
  const events = await alice.events('user')
  await server.stop()
  for (const socket of sockets) assert.equal((await socket.end()).code, 1001)
  await events.end()
  assert.equal(events.text, ':)\n')
})
