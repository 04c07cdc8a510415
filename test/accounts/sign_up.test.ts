import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test, type Test } from 'tap'
import { SCOPES } from '../../src/core/scopes.ts'
import { isOldEnough } from '../../src/auth/sign_up/api/age.ts'
import { resolveMailHosts, type MailResolver } from '../../src/moderation/email_blocks/index.ts'
import { Client, type ClientResponse } from '../support/client.ts'
import { makeToken, people, person, sql } from '../support/people.ts'
import { OPEN_REGISTRATIONS, shareServerWith, sharedServer, startServer, type TestServer } from '../support/server.ts'
import { waitForEvent, waitForMail } from './waiting.ts'

shareServerWith(OPEN_REGISTRATIONS)

type Details = Record<string, { error: string; description: string }[]>

const someone = (): Record<string, unknown> => {
  const username = `new_${randomBytes(4).toString('hex')}`
  return { username, email: `${username}@example.com`, password: 'correct horse', agreement: true }
}

async function appOf(server: TestServer): Promise<Client> {
  return new Client(server, await makeToken(server, null))
}

function refused(response: ClientResponse): { error: string; details: Details } {
  assert.equal(response.status, 422, response.text)
  return response.json as { error: string; details: Details }
}

/** A server of its own for a test, with these settings from the start. */
const serverWith = (t: Test, settings: Record<string, unknown>): Promise<TestServer> => startServer(t, { settings })

test('an application signs a person up, who is sent an e-mail with a confirmation link', async () => {
  const server = await sharedServer()
  const app = await appOf(server)
  const wanted = someone()
  const response = await app.post('/api/v1/accounts', { ...wanted, locale: 'xx-none', time_zone: 'Europe/Berlin' })
  assert.equal(response.status, 200, response.text)
  assert.equal(response.headers.get('cache-control'), 'no-store, no-cache')
  assert.equal(response.headers.get('pragma'), 'no-cache')
  const token = response.json as Record<string, unknown>
  assert.deepEqual(Object.keys(token), ['access_token', 'token_type', 'scope', 'created_at'])
  assert.ok(Number.isSafeInteger(token['created_at']))
  assert.deepEqual([token['token_type'], token['scope']], ['Bearer', SCOPES.join(' ')])
  const [user] = await sql(
    server,
    `select u.locale, u.time_zone, u.approved, u.created_by_application_id is not null as app, a.pending, u.password_hash
     from users u join accounts a on a.id = u.account_id where a.username = $1`,
    [wanted['username']],
  )
  assert.match(String(user?.['password_hash']), /^\$argon2id\$/)
  assert.deepEqual(
    { ...user, password_hash: '' },
    { locale: null, time_zone: 'Europe/Berlin', approved: true, app: true, pending: true, password_hash: '' },
  )
  const newcomer = new Client(server, String(token['access_token']))
  const early = await newcomer.get('/api/v1/accounts/verify_credentials')
  assert.deepEqual([early.status, early.json], [403, { error: 'Your login is missing a confirmed e-mail address' }])
  const check = await newcomer.get('/api/v1/emails/check_confirmation')
  assert.deepEqual([check.status, check.json], [200, false])
  const email = await waitForMail(server, String(wanted['email']))
  assert.match(email, /\/auth\/confirmation\?confirmation_token=[\w-]{43}&redirect_to_app=true/)
  const twice = refused(
    await app.post('/api/v1/accounts', { ...wanted, username: String(wanted['username']).toUpperCase() }),
  )
  assert.deepEqual(twice, {
    error: 'Validation failed: E-mail address has already been taken, Username has already been taken',
    details: {
      email: [{ error: 'ERR_TAKEN', description: 'has already been taken' }],
      username: [{ error: 'ERR_TAKEN', description: 'has already been taken' }],
    },
  })
})

test('of several simultaneous sign-ups with one name, one succeeds', async () => {
  const server = await sharedServer()
  const app = await appOf(server)
  const wanted = someone()
  const answers = await Promise.all(
    [1, 2, 3].map(n => app.post('/api/v1/accounts', { ...wanted, email: `${String(n)}${String(wanted['email'])}` })),
  )
  assert.deepEqual(
    answers.map(response => response.status).toSorted((a, b) => a - b),
    [200, 422, 422],
  )
  const loser = answers.find(response => response.status === 422)
  assert.ok(loser)
  assert.deepEqual(refused(loser).details, {
    username: [{ error: 'ERR_TAKEN', description: 'has already been taken' }],
  })
})

test('a sign-up without parameters lists every missing attribute', async () => {
  const app = await appOf(await sharedServer())
  assert.deepEqual(refused(await app.post('/api/v1/accounts')), {
    error:
      "Validation failed: E-mail address can't be blank, E-mail address is invalid, Password can't be blank, Username can't be blank, " +
      'Service agreement must be accepted',
    details: {
      email: [
        { error: 'ERR_BLANK', description: "can't be blank" },
        { error: 'ERR_INVALID', description: 'is invalid' },
      ],
      password: [{ error: 'ERR_BLANK', description: "can't be blank" }],
      username: [{ error: 'ERR_BLANK', description: "can't be blank" }],
      agreement: [{ error: 'ERR_ACCEPTED', description: 'must be accepted' }],
    },
  })
})

test('each invalid attribute of a sign-up has its own error', async () => {
  const app = await appOf(await sharedServer())
  const cases: [Record<string, unknown>, Details][] = [
    [
      { username: 'a b' },
      { username: [{ error: 'ERR_INVALID', description: 'must contain only letters, numbers and underscores' }] },
    ],
    [
      { username: 'x'.repeat(31) },
      { username: [{ error: 'ERR_TOO_LONG', description: 'is too long (maximum is 30 characters)' }] },
    ],
    [{ username: 'Adm1n' }, { username: [{ error: 'ERR_RESERVED', description: 'is reserved' }] }],
    [{ email: 'nobody' }, { email: [{ error: 'ERR_INVALID', description: 'is invalid' }] }],
    [{ email: 'a%b@example.com' }, { email: [{ error: 'ERR_INVALID', description: 'is invalid' }] }],
    [{ email: 'a@b@example.com' }, { email: [{ error: 'ERR_INVALID', description: 'is invalid' }] }],
    [
      {
        email: `a@${'b'.repeat(60)}.${'c'.repeat(60)}.${'d'.repeat(60)}.${'e'.repeat(60)}.${'f'.repeat(60)}.${'g'.repeat(20)}.com`,
      },
      { email: [{ error: 'ERR_TOO_LONG', description: 'is too long (maximum is 320 characters)' }] },
    ],
    [
      { password: '1234567' },
      { password: [{ error: 'ERR_TOO_SHORT', description: 'is too short (minimum is 8 characters)' }] },
    ],
    [
      { password: 'x'.repeat(73) },
      { password: [{ error: 'ERR_TOO_LONG', description: 'is too long (maximum is 72 characters)' }] },
    ],
    ...['yes', false, undefined].map((agreement): [Record<string, unknown>, Details] => [
      { agreement },
      { agreement: [{ error: 'ERR_ACCEPTED', description: 'must be accepted' }] },
    ]),
    [
      { username: undefined, email: 'nameless@example.com' },
      { username: [{ error: 'ERR_BLANK', description: "can't be blank" }] },
    ],
    [
      { reason: 'x'.repeat(421) },
      { reason: [{ error: 'ERR_TOO_LONG', description: 'is too long (maximum is 420 characters)' }] },
    ],
  ]
  for (const [wrong, details] of cases) {
    assert.deepEqual(refused(await app.post('/api/v1/accounts', { ...someone(), ...wrong })).details, details)
  }
  assert.deepEqual(await sql(await sharedServer(), `select from users where email = 'nameless@example.com'`), [])
  for (const date_of_birth of ['x', '2000-02-30T00:00:00Z', '2000-01-01T25:00:00Z', '2000-01-01T00:00:00Zx']) {
    const day = await app.post('/api/v1/accounts', { ...someone(), date_of_birth })
    assert.deepEqual([day.status, day.json], [422, { error: 'Invalid date supplied' }], date_of_birth)
  }
})

test('only an application token with the scope write:accounts can sign people up', async t => {
  const { alice, server } = await people(t, 'alice')
  const byUser = await alice.post('/api/v1/accounts', someone())
  assert.equal(byUser.status, 403)
  assert.deepEqual(byUser.json, { error: 'This method requires an client credentials authentication' })
  for (const wrong of [{ date_of_birth: 'x' }, { username: ['a'] }]) {
    const early = await alice.post('/api/v1/accounts', { ...someone(), ...wrong })
    assert.deepEqual([early.status, early.json], [byUser.status, byUser.json], 'refused before validation')
  }
  const reader = new Client(server, await makeToken(server, null, ['read']))
  assert.equal((await reader.post('/api/v1/accounts', someone())).status, 403)
  const nobody = await new Client(server).post('/api/v1/accounts', someone())
  assert.deepEqual([nobody.status, nobody.json], [401, { error: 'The access token is invalid' }])
})

test('the e-mail address of a suspended user is refused in every spelling', async () => {
  const server = await sharedServer()
  const name = `bad${randomBytes(4).toString('hex')}`
  const bad = await person(server, 'bad', { user: { email: `${name}@example.com` } })
  const suspend = (at: Date | null): Promise<unknown> =>
    sql(server, 'update accounts set suspended_at = $2 where id = $1', [bad.id, at])
  await suspend(new Date())
  const app = await appOf(server)
  const email = `${name.slice(0, 2)}.${name.slice(2)}+again@example.com`
  assert.deepEqual(refused(await app.post('/api/v1/accounts', { ...someone(), email })).details, {
    email: [{ error: 'ERR_BLOCKED', description: 'uses a disallowed e-mail provider' }],
  })
  await suspend(null)
  assert.equal((await app.post('/api/v1/accounts', { ...someone(), email })).status, 200)
})

test('closed registrations accept only valid invites', async t => {
  const server = await serverWith(t, { registrations_mode: 'none' })
  const app = await appOf(server)
  const shut = await app.post('/api/v1/accounts', someone())
  assert.deepEqual([shut.status, shut.json], [403, { error: 'Forbidden' }])
  const host = await person(server, 'host')
  const invite = (code: string, more: string): Promise<unknown> =>
    sql(
      server,
      `insert into invites (user_id, code, ${more.split('=')[0] ?? ''}) values ($1, $2, ${more.split('=')[1] ?? ''})`,
      [host.userId, code],
    )
  await invite('onceonly', 'max_uses=1')
  await invite('tooooold', "expires_at=now() - interval '1 hour'")
  assert.equal((await app.post('/api/v1/accounts', { ...someone(), invite_code: 'tooooold' })).status, 403)
  const both = await Promise.all(
    [1, 2].map(() => app.post('/api/v1/accounts', { ...someone(), invite_code: 'onceonly' })),
  )
  assert.deepEqual(
    both.map(response => response.status).toSorted((a, b) => a - b),
    [200, 403],
  )
  assert.deepEqual(await sql(server, 'select approved from users where invite_id is not null'), [{ approved: false }])
})

test('settings may require approval, a reason and a minimum age', async t => {
  const server = await serverWith(t, { registrations_mode: 'approved', require_invite_text: true, min_age: 16 })
  const app = await appOf(server)
  assert.deepEqual(refused(await app.post('/api/v1/accounts', someone())).details, {
    reason: [{ error: 'ERR_BLANK', description: "can't be blank" }],
    date_of_birth: [{ error: 'ERR_BLANK', description: "can't be blank" }],
  })
  const young = `${new Date().getUTCFullYear() - 10}-01-01`
  assert.deepEqual(
    refused(await app.post('/api/v1/accounts', { ...someone(), reason: 'why not', date_of_birth: young })).details,
    { date_of_birth: [{ error: 'ERR_BELOW_LIMIT', description: 'is below the age limit' }] },
  )
  for (const date_of_birth of ['31.12.1990', '1990-12-31', '1990-12-31T00:00:00Z', '1990-12-31T23:30:00.000+02:00']) {
    const wanted = someone()
    assert.equal((await app.post('/api/v1/accounts', { ...wanted, reason: 'why not', date_of_birth })).status, 200)
    const rows = await sql(
      server,
      `select u.approved, u.sign_up_reason from users u where u.email = $1 and u.age_verified_at is not null`,
      [wanted['email']],
    )
    assert.deepEqual(rows, [{ approved: false, sign_up_reason: 'why not' }])
  }
})

test('a new user follows the configured accounts and the inviter, and staff are notified', async t => {
  const server = await serverWith(t, { registrations_mode: 'open', auto_follow_accounts: ['guide', 'nobody_here'] })
  const host = await person(server, 'host')
  const guide = await person(server, 'guide', { account: { username: 'guide' } })
  const admin = await person(server, 'admin', { roleId: 2 })
  await sql(server, "insert into invites (user_id, code, autofollow) values ($1, 'welcomes', true)", [host.userId])
  const wanted = someone()
  await (await appOf(server)).post('/api/v1/accounts', { ...wanted, invite_code: 'welcomes' })
  const [user] = await sql(
    server,
    `with u as (update users set confirmed_at = now() where email = $1 returning id, account_id)
     select u.id, u.account_id, (graphile_worker.add_job('accounts.welcome', json_build_object('user', u.id::text))).id as job from u`,
    [wanted['email']],
  )
  const account = user?.['account_id']
  for (const followed of [host, guide]) {
    await waitForEvent(server, `e.kind = 'relationship.changed' and e.actor_id = $1 and e.account_id = $2`, [
      account,
      followed.id,
    ])
  }
  await waitForEvent(
    server,
    `e.kind = 'notification.created' and e.account_id = $1 and e.actor_id = $2 and e.data ->> 'type' = 'admin.sign_up'`,
    [admin.id, account],
  )
})

test('the minimum age is reached on the birthday', async () => {
  const now = new Date('2026-05-10T12:00:00Z')
  assert.equal(isOldEnough('2010-05-10', 16, now), true)
  assert.equal(isOldEnough('2010-05-11', 16, now), false)
  assert.equal(isOldEnough('2008-02-29', 18, new Date('2026-02-28T12:00:00Z')), false)
})

test('a domain is unreachable only when DNS has no records for it', async () => {
  const failing = (code: string) => () => Promise.reject(Object.assign(new Error(code), { code }))
  const ask = async (mx: MailResolver['resolveMx'], a: MailResolver['resolve4']): Promise<unknown> =>
    resolveMailHosts('a.example', { resolveMx: mx, resolve4: a, resolve6: failing('ENODATA') })
  const none = failing('ENOTFOUND')
  const servers =
    (...names: string[]) =>
    () =>
      Promise.resolve(names.map(exchange => ({ exchange, priority: 10 })))
  const some = (): Promise<unknown[]> => Promise.resolve(['192.0.2.1'])
  assert.deepEqual(await ask(none, none), { reachable: false, hosts: [] })
  assert.deepEqual(await ask(servers('MX.b.example'), none), { reachable: true, hosts: ['mx.b.example'] })
  assert.deepEqual(await ask(servers(''), some), { reachable: false, hosts: [] }, 'RFC 7505')
  assert.deepEqual(await ask(none, some), { reachable: true, hosts: [] })
  assert.deepEqual(await ask(failing('ETIMEOUT'), none), { reachable: true, hosts: [] })
})
