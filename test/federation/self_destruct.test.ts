import assert from 'node:assert/strict'
import { test, type Test } from 'tap'
import { runHere } from '../cli/command.ts'
import { becomes } from '../platform/settings/pair.ts'
import { Browser } from '../support/browser.ts'
import { Client } from '../support/client.ts'
import { createTestDatabase } from '../support/database.ts'
import { startMailServer } from '../support/mailbox.ts'
import { PASSWORD, personWithPassword } from '../support/oauth.ts'
import { person, sql } from '../support/people.ts'
import { startServer, type TestServer } from '../support/server.ts'
import { waitForFederationJobs } from './federation_fixtures.ts'

/* The end of a server for good, with another server of ours as one that knows it. */

const environmentOf = (server: TestServer): Record<string, string> => ({
  DATABASE_URL: server.databaseUrl,
  DATA_DIR: server.config.dataDir,
  PUBLIC_URL: server.config.publicUrl,
  ALLOW_PRIVATE_ADDRESSES: 'on',
})

test('self-destruct asks twice, and prints a value for this server only', async t => {
  const environment = { DATABASE_URL: (await createTestDatabase(t)).url, PUBLIC_URL: 'https://end.example' }
  const run = (typed: readonly string[], more: Record<string, string> = {}) =>
    runHere(['self-destruct'], { ...environment, ...more }, typed)
  for (const typed of [[], ['other.example', 'yes'], ['end.example'], ['end.example', 'no']]) {
    const { code, out, err } = await run(typed)
    assert.deepEqual([code, out], [1, ''])
    assert.match(err, /Not confirmed/)
  }
  const { code, out, err } = await run(['end.example', 'yes'])
  assert.equal(code, 0, err)
  assert.match(out, /^SELF_DESTRUCT=[\w-]{43}\n$/)
  const elsewhere = await run([], { SELF_DESTRUCT: out.trim().slice(14), PUBLIC_URL: 'https://other.example' })
  assert.equal(elsewhere.code, 78)
  assert.match(elsewhere.err, /SELF_DESTRUCT is not the value/)
})

/** Starts the server once more, with the end of it confirmed. */
async function restartClosed(t: Test, first: TestServer, env: Record<string, string> = {}): Promise<TestServer> {
  const { out } = await runHere(['self-destruct'], environmentOf(first), [first.config.localDomain, 'yes'])
  await first.stop()
  const { port, publicUrl } = first.config
  return startServer(t, {
    databaseUrl: first.databaseUrl,
    env: {
      PORT: String(port),
      PUBLIC_URL: publicUrl,
      SELF_DESTRUCT: out.trim().slice('SELF_DESTRUCT='.length),
      ...env,
    },
  })
}

test('members of a server that self-destructs change their address and password, and fetch their data', async t => {
  const { url: databaseUrl } = await createTestDatabase(t)
  const first = await startServer(t, { databaseUrl })
  const alice = await personWithPassword(first, 'alice')
  const bob = await personWithPassword(first, 'bob', { account: { suspended_at: new Date() } })
  await alice.postStatus('what I leave')
  await Promise.all([alice.close(), bob.close()])
  const closed = await restartClosed(t, first)
  const browser = new Browser(closed)
  await browser.signIn(alice.email, PASSWORD)
  const page = await browser.get('/auth/edit')
  assert.equal(page.status, 200)
  const fields = {
    'user[email]': 'elsewhere@example.com',
    'user[password]': 'another password',
    'user[password_confirmation]': 'another password',
    'user[current_password]': PASSWORD,
  }
  const changed = await browser.submit(page, '/auth', fields, 'put')
  assert.deepEqual([changed.status, changed.location], [302, '/auth/edit'])
  const again = new Browser(closed)
  await again.signIn(alice.email, 'another password')
  assert.match((await again.get('/auth/edit')).text, /elsewhere@example\.com/)
  assert.equal((await again.get('/auth/confirmation?confirmation_token=unknown')).status, 200)
  assert.ok(!page.text.includes('/settings/profile'), 'the navigation has no page that is closed')
  const signUp = {
    authenticity_token: page.forms[0]?.fields['authenticity_token'] ?? '',
    'user[account_attributes][username]': 'late',
    'user[email]': 'late@example.com',
  }
  assert.equal((await again.post('/auth', signUp)).status, 410)
  assert.equal((await again.get('/auth')).status, 410)
  assert.equal((await again.get('/auth/sign_up')).status, 410)

  for (const [person, password] of [
    [alice, 'another password'],
    [bob, PASSWORD],
  ] as const) {
    const visitor = new Browser(closed)
    await visitor.signIn(person.email, password)
    assert.equal((await visitor.get('/settings/exports/follows.csv')).status, 200)
    await visitor.submit(await visitor.get('/settings/exports'), '/settings/exports')
    const link = async () => /\/backups\/\d+\/download/.exec((await visitor.get('/settings/exports')).text)?.[0]
    await becomes(async () => (await link()) !== undefined, true, 'the archive is there')
    const download = await visitor.get((await link()) ?? '')
    assert.equal(download.status, 302)
    assert.equal((await visitor.get(download.location)).status, 200)
  }
})

test('a changed address is confirmed on a server that self-destructs, and jobs that do not run are not missed', async t => {
  const { url: databaseUrl } = await createTestDatabase(t)
  const first = await startServer(t, { databaseUrl })
  const alice = await personWithPassword(first, 'alice')
  await alice.close()
  const mailbox = await startMailServer(t)
  const closed = await restartClosed(t, first, { SMTP_URL: mailbox.url })
  await sql(closed, `select graphile_worker.add_job('statuses.notify', run_at => now() - interval '1 hour')`)
  const browser = new Browser(closed)
  await browser.signIn(alice.email, PASSWORD)
  const wanted = { 'user[email]': 'elsewhere@example.com', 'user[current_password]': PASSWORD }
  await browser.submit(await browser.get('/auth/edit'), '/auth', wanted, 'put')
  await mailbox.email('elsewhere@example.com', /./)
  const form = await browser.get('/auth/confirmation/new')
  await browser.submit(form, '/auth/confirmation', { 'user[email]': 'elsewhere@example.com' })
  const { text } = await mailbox.email('elsewhere@example.com', /./)
  const link = new URL(/https?:\/\/\S+confirmation_token=\S+/.exec(text)?.[0] ?? '')
  await browser.get(`${link.pathname}${link.search}`)
  const rows = await sql(closed, 'select email, unconfirmed_email from users where account_id = $1', [alice.id])
  assert.deepEqual(rows, [{ email: 'elsewhere@example.com', unconfirmed_email: null }])
  assert.equal((await new Client(closed).get('/health/jobs')).status, 200)
})

test('a server that self-destructs sends the deletions of its accounts, and answers nothing else', async t => {
  const database = await createTestDatabase(t)
  const there = await startServer(t)
  const bob = await person(there, 'bob')
  t.after(() => bob.close())
  const first = await startServer(t, { databaseUrl: database.url })
  const alice = await personWithPassword(first, 'alice')
  const unknown = await person(first, 'unknown')
  const found = await bob.get('/api/v2/search', {
    q: `@${alice.username}@${first.config.localDomain}`,
    resolve: 'true',
    type: 'accounts',
  })
  const [account] = (found.json as { accounts: { id: string }[] }).accounts
  assert.ok(account)
  await bob.post(`/api/v1/accounts/${account.id}/follow`)
  await becomes(
    async () => ((await alice.get(`/api/v1/accounts/${alice.id}`)).json as Record<string, unknown>)['followers_count'],
    1,
    'the follow arrived',
  )
  await waitForFederationJobs(t, first)
  await Promise.all([alice.close(), unknown.close()])
  const environment = environmentOf(first)
  const { out } = await runHere(['self-destruct'], environment, [first.config.localDomain, 'yes'])
  await first.stop()
  // What other servers do not remember they cannot check: the key is gone, too.
  await sql(there, 'delete from remote_keys')

  const SELF_DESTRUCT = out.trim().slice('SELF_DESTRUCT='.length)
  const { port, publicUrl } = first.config
  await assert.rejects(
    startServer(undefined, { databaseUrl: database.url, env: { SELF_DESTRUCT: 'copied' } }),
    /SELF_DESTRUCT is not the value/,
  )
  const closed = await startServer(t, {
    databaseUrl: database.url,
    env: { PORT: String(port), PUBLIC_URL: publicUrl, SELF_DESTRUCT },
  })
  for (const path of ['/api/v2/instance', `/api/v1/accounts/${alice.id}`, '/api/v1/streaming', '/nothing']) {
    const response = await fetch(`${closed.url}${path}`, { headers: { accept: 'application/json' } })
    assert.deepEqual([response.status, await response.json()], [410, { error: 'Gone' }], path)
  }
  const refused = await new Client(closed, alice.token).post('/api/v1/statuses', { status: 'still there?' })
  assert.deepEqual([refused.status, refused.json], [410, { error: 'Gone' }])
  const page = await fetch(closed.url, { headers: { accept: 'text/html' } })
  assert.equal(page.status, 410)
  assert.match(await page.text(), /closes for good[^]*href="\/settings\/exports"/)
  assert.equal((await fetch(`${closed.url}/health`)).status, 200)
  const socket = new WebSocket(`${closed.url.replace('http', 'ws')}/api/v1/streaming?access_token=${alice.token}`)
  await new Promise(resolve => socket.addEventListener('error', resolve))

  // Members may still fetch their data.
  const browser = new Browser(closed)
  await browser.signIn(alice.email, PASSWORD)
  assert.equal((await browser.get('/settings/exports')).status, 200)
  assert.equal((await browser.get('/settings/profile')).status, 410)

  const gone = async () =>
    (await sql(there, 'select from accounts where domain is not null and suspended_at is null')).length
  await becomes(gone, 0, 'the other server has deleted the account')
  const progress = async (): Promise<string> =>
    (await runHere(['self-destruct'], { ...environment, SELF_DESTRUCT })).out
  // Nobody elsewhere knows an account without a key.
  await becomes(
    progress,
    'Deletions of accounts sent: 1 of 1\nDeliveries that wait: 0\nDone: every server that could be reached knows. This server can be switched off.\n',
    'the command shows the end',
  )
})
