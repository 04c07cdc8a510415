import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'tap'
import { until } from '../../media/attachments/media_fixtures.ts'
import { Client } from '../../support/client.ts'
import { makeToken, person, sql } from '../../support/people.ts'
import { OPEN_REGISTRATIONS, startServer } from '../../support/server.ts'

test('an unconfirmed user is removed after a week, and the username is free again', async t => {
  const server = await startServer(t, OPEN_REGISTRATIONS)
  const unconfirmed = (days: number) => ({
    user: { confirmed_at: null, confirmation_sent_at: new Date(Date.now() - days * 86_400_000) },
    account: { pending: true },
  })
  const [late, early] = [await person(server, 'late', unconfirmed(7)), await person(server, 'early', unconfirmed(6.9))]
  const alice = await person(server, 'alice', { roleId: 3 })
  const lookUp = () => alice.get('/api/v1/accounts/lookup', { acct: late.username })
  assert.equal((await lookUp()).status, 200)
  await sql(
    server,
    `insert into ip_blocks (ip, severity, expires_at)
     values ('192.0.2.1', 'no_access', now() - interval '1 second'), ('192.0.2.2', 'no_access', now() + interval '1 hour')`,
  )
  await sql(
    server,
    `with block as (insert into email_domain_blocks (domain) values ('spam.example') returning id)
     insert into email_domain_block_attempts (block_id, day, ip)
     select block.id, now()::date - days, '192.0.2.1' from block cross join unnest(array[0, 7, 9]) days`,
  )
  await sql(server, `select graphile_worker.add_job('registration.clean')`)
  const left = () => sql(server, 'select account_id::text as id from users order by id')
  await until(left, users => users.length === 2, 'the removal')
  assert.deepEqual(
    (await left()).map(({ id }) => id),
    [early.id, alice.id],
  )
  assert.deepEqual(await sql(server, `select host(ip) as ip from ip_blocks`), [{ ip: '192.0.2.2' }])
  const [attempts] = await sql(server, 'select count(*)::integer as days from email_domain_block_attempts')
  assert.equal(attempts?.['days'], 2)
  const application = new Client(server, await makeToken(server, null))
  const wanted = { username: late.username, email: `${late.username}@example.com`, password: 'correct horse' }
  const again = await application.post('/api/v1/accounts', { ...wanted, agreement: true })
  assert.equal(again.status, 200, again.text)
  const found = await lookUp()
  assert.equal(found.status, 200, 'staff finds the account that has the name now')
  assert.notEqual((found.json as { id: string }).id, late.id)
})

test('an invite of a user with the permission to bypass approval approves the sign-up', async t => {
  const server = await startServer(t)
  await sql(
    server,
    `insert into settings (key, value) values ('registrations_mode', '"approved"'), ('require_invite_text', 'true')`,
  )
  await sql(server, `insert into events (kind, data) values ('settings.changed', '{"keys": ["registrations_mode"]}')`)
  const mode = () => new Client(server, 'unknown').get('/api/v2/instance')
  await until(mode, ({ text }) => text.includes('"approval_required":true'), 'the mode')
  const [owner, member] = [await person(server, 'owner', { roleId: 3 }), await person(server, 'member')]
  await sql(server, `insert into invites (user_id, code) values ($1, 'ownerown'), ($2, 'membersx')`, [
    owner.userId,
    member.userId,
  ])
  const application = new Client(server, await makeToken(server, null))
  const approvedWith = async (invite_code: string): Promise<unknown> => {
    const username = `guest_${randomBytes(4).toString('hex')}`
    const wanted = {
      username,
      email: `${username}@example.com`,
      password: 'correct horse',
      agreement: true,
      invite_code,
    }
    const response = await application.post('/api/v1/accounts', wanted)
    assert.equal(response.status, 200, response.text)
    const [row] = await sql(server, 'select approved from users where email = $1', [wanted.email])
    return row?.['approved']
  }
  assert.equal(await approvedWith('ownerown'), true)
  assert.equal(await approvedWith('membersx'), false)
  const [uses] = await sql(server, `select sum(uses)::integer as uses from invites`)
  assert.equal(uses?.['uses'], 2)
})
