import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test, type Test } from 'tap'
import { checkAddress } from '../../../src/moderation/email_blocks/index.ts'
import { openDatabase } from '../../../src/platform/database/index.ts'
import { createCommandLine } from '../../cli/command.ts'
import { waitForEvent } from '../../accounts/waiting.ts'
import { Browser } from '../../support/browser.ts'
import { Client, type ClientResponse } from '../../support/client.ts'
import { makeToken, person, sql } from '../../support/people.ts'
import { OPEN_REGISTRATIONS, startServer, type TestServer } from '../../support/server.ts'

const BLOCKED = { email: [{ error: 'ERR_BLOCKED', description: 'uses a disallowed e-mail provider' }] }

interface Setup {
  server: TestServer
  ctl: Awaited<ReturnType<typeof createCommandLine>>
  signUp(email: string, from?: string, username?: string): Promise<ClientResponse>
  approved(email: string): Promise<unknown>
}

async function setUp(t: Test, env: Record<string, string> = {}): Promise<Setup> {
  const server = await startServer(t, { ...OPEN_REGISTRATIONS, env })
  const ctl = await createCommandLine(t, server.databaseUrl)
  const app = new Client(server, await makeToken(server, null))
  return {
    server,
    ctl,
    signUp: (email, from = '192.0.2.1', username = `n_${randomBytes(4).toString('hex')}`) =>
      app.request('POST', '/api/v1/accounts', {
        body: {
          username,
          email,
          password: 'correct horse battery',
          agreement: true,
        },
        headers: { 'x-forwarded-for': from },
      }),
    async approved(email) {
      return (await sql(server, 'select approved from users where email = $1', [email]))[0]?.['approved']
    },
  }
}

const detailsOf = ({ json }: ClientResponse): unknown =>
  typeof json === 'object' && json !== null && 'details' in json ? json.details : undefined

test('a blocked e-mail domain refuses its subdomains or requires approval, and counts the attempts', async t => {
  const { server, ctl, signUp, approved } = await setUp(t)
  assert.equal(await ctl.ok('email_domain_blocks', 'add', 'Spam.example'), 'Added 1, skipped 0\n')
  await ctl.ok('email-domain-blocks', 'add', 'odd.example', '--allow-with-approval')
  for (const domain of ['spam.example', 'mail.spam.example']) {
    const refused = await signUp(`a@${domain}`)
    assert.deepEqual([refused.status, detailsOf(refused)], [422, BLOCKED])
  }
  assert.equal((await signUp('a@notspam.example')).status, 200)
  assert.equal((await signUp('a@odd.example')).status, 200)
  assert.deepEqual([await approved('a@notspam.example'), await approved('a@odd.example')], [true, false])
  const counted = await sql(
    server,
    `select b.domain, t.uses from email_domain_block_attempts t join email_domain_blocks b on b.id = t.block_id order by 1`,
  )
  assert.deepEqual(counted, [
    { domain: 'odd.example', uses: 1 },
    { domain: 'spam.example', uses: 2 },
  ])
  assert.equal(await ctl.ok('email_domain_blocks', 'list', '--only-blocked'), 'spam.example\n')
  assert.equal(
    await ctl.ok('email_domain_blocks', 'remove', 'spam.example', 'x.example'),
    'x.example is not yet blocked.\nRemoved 1, skipped 1, failed 0\n',
  )
  assert.equal((await signUp('b@spam.example')).status, 200)
})

test('a blocked mail server blocks the domains that it serves', async t => {
  const { server, ctl } = await setUp(t)
  await ctl.ok('email_domain_blocks', 'add', 'mx.spam.example')
  const connection = { connectionString: server.databaseUrl }
  const database = openDatabase({ connection, poolSize: 1, onError: () => {}, onSlowQuery: () => {} })
  t.after(() => database.close())
  const verdict = await checkAddress(database, 'a@fine.example', ['one.mx.spam.example'], null)
  assert.deepEqual(verdict, { blocked: true, needsApproval: false })
  await ctl.ok('email_domain_blocks', 'add', 'mx.odd.example', '--allow-with-approval')
  const milder = await checkAddress(database, 'a@fine.example', ['mx.odd.example'], null)
  assert.deepEqual(milder, { blocked: false, needsApproval: true })
})

test('blocks of networks take effect at once', async t => {
  const { server, ctl, signUp, approved } = await setUp(t)
  const changes = `e.kind = 'ip_blocks.changed'`
  assert.equal(
    await ctl.ok('ip_blocks', 'add', '192.0.2.9', '--severity', 'sign_up_requires_approval'),
    'Added 1, skipped 0, failed 0\n',
  )
  await ctl.ok('ip_blocks', 'add', '198.51.100.0/24', '--severity', 'sign_up_block')
  await ctl.ok('ip_blocks', 'add', '203.0.113.0/24', '2001:db8::/32', '--severity', 'no_access')
  assert.equal(
    await ctl.ok('ip_blocks', 'add', '192.0.2.9', 'x', '--severity', 'no_access'),
    '192.0.2.9 is already blocked\nx is invalid\nAdded 0, skipped 1, failed 1\n',
  )
  await waitForEvent(server, changes)
  const from = (address: string): Promise<Response> =>
    fetch(`${server.url}/api/v1/instance`, { headers: { 'x-forwarded-for': address } })
  // The server learns of the block from the event log: retry until it has.
  for (let tries = 0; tries < 200 && (await from('203.0.113.7')).status !== 403; tries += 1);
  const shut = await from('203.0.113.7')
  assert.deepEqual([shut.status, await shut.text()], [403, 'Forbidden'])
  assert.deepEqual([(await from('2001:db8::1')).status, (await from('192.0.2.9')).status], [403, 200])
  const refused = await signUp('a@example.com', '198.51.100.4')
  assert.deepEqual([refused.status, refused.json], [403, { error: 'Forbidden' }])
  const page = await new Browser(server).get('/auth/sign_up', { 'x-forwarded-for': '198.51.100.4' })
  assert.equal(page.location, '/auth/sign_in')
  assert.equal((await signUp('b@example.com', '192.0.2.9')).status, 200)
  assert.equal(await approved('b@example.com'), false)
  assert.equal(await ctl.ok('ip_blocks', 'export', '-f', 'nginx'), 'deny 203.0.113.0/24;\ndeny 2001:db8::/32;\n')
  assert.equal(await ctl.ok('ip_blocks', 'remove', '203.0.113.7', '--force'), 'Removed 1, skipped 0\n')
})

test('e-mail addresses of suspended users are blocked until an operator removes the block', async t => {
  const { ctl, signUp } = await setUp(t)
  assert.equal((await signUp('bad@example.com')).status, 200)
  await ctl.sql(
    `update accounts set suspended_at = now() where id = (select account_id from users where email = 'bad@example.com')`,
  )
  assert.equal(await ctl.ok('canonical_email_blocks', 'find', 'B.ad+x@example.com'), 'B.ad+x@example.com is blocked\n')
  assert.deepEqual(detailsOf(await signUp('b.ad+x@example.com')), BLOCKED)
  assert.equal(await ctl.ok('canonical_email_blocks', 'remove', 'bad@example.com'), 'Unblocked bad@example.com\n')
  assert.equal((await signUp('b.ad+x@example.com')).status, 200)
})

test('reserved usernames match despite digits for letters, and operators change the list', async t => {
  const { ctl, signUp, approved } = await setUp(t)
  const named = (username: string): Promise<ClientResponse> => signUp(`${username}@example.com`, undefined, username)
  const reserved = { username: [{ error: 'ERR_RESERVED', description: 'is reserved' }] }
  for (const name of ['admin', 'ADMIN', '4dm1n', 'r00t', 'best_mastodon_bot', 'm4st0d0n']) {
    const refused = await named(name)
    assert.deepEqual([refused.status, detailsOf(refused)], [422, reserved], name)
  }
  for (const name of ['administrators_fan', 'rooted']) assert.equal((await named(name)).status, 200, name)
  assert.equal(
    await ctl.ok('username_blocks', 'add', 'Mayor', 'adm1n', '--allow-with-approval'),
    'adm1n is already blocked.\nAdded 1, skipped 1\n',
  )
  await ctl.ok('username_blocks', 'add', 'casino', '--contains')
  assert.equal(
    await ctl.ok('username_blocks', 'remove', 'root', 'nothing'),
    'nothing is not yet blocked.\nRemoved 1, skipped 1\n',
  )
  assert.match(await ctl.ok('username_blocks', 'list'), /^casino +contains +blocked$[^]*^Mayor +exact +approval$/m)
  assert.deepEqual(detailsOf(await named('best_c4sin0')), reserved)
  assert.deepEqual([(await named('m4yor')).status, await approved('m4yor@example.com')], [200, false])
  assert.deepEqual([(await named('root')).status, await approved('root@example.com')], [200, true])
})

test('the configured domain lists decide who may sign up, except with an invite', async t => {
  const { server, signUp } = await setUp(t, {
    EMAIL_DOMAIN_ALLOWLIST: 'good.example|Fine.example',
    EMAIL_DOMAIN_DENYLIST: 'bad.good.example',
  })
  const statuses: Record<string, number> = {}
  for (const domain of [
    'good.example',
    'mail.fine.example',
    'notgood.example',
    'bad.good.example',
    'x.bad.good.example',
  ])
    statuses[domain] = (await signUp(`a@${domain}`)).status
  assert.deepEqual(statuses, {
    'good.example': 200,
    'mail.fine.example': 200,
    'notgood.example': 422,
    'bad.good.example': 422,
    'x.bad.good.example': 422,
  })
  assert.deepEqual(detailsOf(await signUp('b@notgood.example')), BLOCKED)
  const host = await person(server, 'host')
  await sql(server, `insert into invites (user_id, code) values ($1, 'AbCdEfGh')`, [host.userId])
  const app = new Client(server, await makeToken(server, null))
  const wanted = { username: 'guest', email: 'c@notgood.example', password: 'correct horse', agreement: true }
  assert.equal((await app.post('/api/v1/accounts', { ...wanted, invite_code: 'AbCdEfGh' })).status, 200)
})
