import assert from 'node:assert/strict'
import { test } from 'tap'
import { Browser } from '../../support/browser.ts'
import { Client } from '../../support/client.ts'
import { PASSWORD, personWithPassword } from '../../support/oauth.ts'
import { makeToken, person, sql } from '../../support/people.ts'
import { until } from '../../media/attachments/media_fixtures.ts'
import { startServer } from '../../support/server.ts'

const HOUR_S = 3600

test('sessions and addresses are stored as long as the settings say', async t => {
  const env = { SESSION_RETENTION_PERIOD: String(4 * HOUR_S), IP_RETENTION_PERIOD: String(2 * HOUR_S) }
  const server = await startServer(t, { env })
  const alice = await personWithPassword(server, 'alice')
  const [recent, old, expired] = [new Browser(server), new Browser(server), new Browser(server)]
  for (const browser of [recent, old, expired]) await browser.signIn(alice.email, PASSWORD)
  await sql(server, `update users set sign_up_ip = '192.0.2.1'`)
  const isSignedIn = async (browser: Browser): Promise<boolean> =>
    (await browser.get('/settings/profile')).status === 200
  // The second one was last used three hours ago, the third five.
  const backdate = () =>
    sql(
      server,
      `update sessions s set updated_at = now() - interval '1 hour' * (2 * place - 1)
       from (select id, row_number() over (order by id) as place from sessions) n where n.id = s.id and place > 1`,
    )
  await backdate()
  assert.deepEqual([await isSignedIn(old), await isSignedIn(expired)], [true, false], 'before the job too')
  await backdate()
  await sql(
    server,
    `with t as (update oauth_tokens set last_used_at = now() - interval '3 hours', last_used_ip = '192.0.2.1')
     update users set created_at = now() - interval '3 hours', current_sign_in_at = now() - interval '3 hours'`,
  )
  await sql(
    server,
    `update login_activities set created_at = now() - interval '3 hours' where id = (select min(id) from login_activities)`,
  )
  await sql(server, `select graphile_worker.add_job('authorization.trim')`)
  await until(
    () => sql(server, 'select from sessions'),
    rows => rows.length === 2,
    'the session to be removed',
  )
  const stored = await sql(
    server,
    `select (select count(ip)::integer from sessions) as sessions, (select count(*)::integer from login_activities) as sign_ins,
       (select count(last_used_ip)::integer from oauth_tokens) as tokens, (select count(sign_up_ip)::integer from users) as users`,
  )
  assert.deepEqual(stored, [{ sessions: 1, sign_ins: 2, tokens: 0, users: 0 }])
})

test('a browser in use stays signed in, however short the retention is', async t => {
  const server = await startServer(t, { env: { SESSION_RETENTION_PERIOD: String(HOUR_S) } })
  const alice = await personWithPassword(server, 'alice')
  const browser = new Browser(server)
  await browser.signIn(alice.email, PASSWORD)
  for (const [minutes, isRecorded] of [
    [50, true],
    [2, false],
  ] as const) {
    await sql(server, `update sessions set updated_at = now() - make_interval(mins => $1)`, [minutes])
    assert.equal((await browser.get('/settings/profile')).status, 200)
    const [session] = await sql(server, `select updated_at > now() - interval '1 minute' as recorded from sessions`)
    assert.equal(session?.['recorded'], isRecorded, `after ${minutes} minutes`)
  }
})

test('by default the use of a browser is recorded once a day', async t => {
  const server = await startServer(t)
  const alice = await personWithPassword(server, 'alice')
  const browser = new Browser(server)
  await browser.signIn(alice.email, PASSWORD)
  for (const [hours, isRecorded] of [
    [23, false],
    [25, true],
  ] as const) {
    await sql(server, `update sessions set updated_at = now() - make_interval(hours => $1)`, [hours])
    assert.equal((await browser.get('/settings/profile')).status, 200)
    const [session] = await sql(server, `select updated_at > now() - interval '1 minute' as recorded from sessions`)
    assert.equal(session?.['recorded'], isRecorded, `after ${hours} hours`)
  }
})

test('tokens that were revoked are removed a day later', async t => {
  const server = await startServer(t)
  const alice = await person(server, 'alice')
  const [recent, old, used] = await Promise.all([1, 2, 3].map(() => makeToken(server, alice.userId)))
  const revoke = (token: string, hours: number) =>
    sql(
      server,
      `update oauth_tokens set revoked_at = now() - make_interval(hours => $2) where token_hash = sha256($1::bytea)`,
      [Buffer.from(token), hours],
    )
  assert.ok(recent && old && used)
  await revoke(recent, 23)
  await revoke(old, 25)
  await sql(server, `select graphile_worker.add_job('authorization.trim')`)
  const errorFor = async (token: string) =>
    (await new Client(server, token).get('/api/v1/accounts/verify_credentials')).json
  await until(
    () => sql(server, 'select from oauth_tokens'),
    rows => rows.length === 3,
    'the token to be removed',
  )
  assert.deepEqual(await errorFor(recent), { error: 'The access token was revoked' })
  assert.deepEqual(await errorFor(old), { error: 'The access token is invalid' })
  assert.equal((await new Client(server, used).get('/api/v1/accounts/verify_credentials')).status, 200)
})
