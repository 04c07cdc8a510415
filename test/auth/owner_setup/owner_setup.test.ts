import assert from 'node:assert/strict'
import { test, type Test } from 'tap'
import { PASSWORD } from '../../support/oauth.ts'
import { Browser } from '../../support/browser.ts'
import { runHere } from '../../cli/command.ts'
import { person, sql } from '../../support/people.ts'
import { startServer, type TestServer } from '../../support/server.ts'

const FIELDS = {
  'user[username]': 'admin',
  'user[email]': 'Owner@Example.com',
  'user[password]': PASSWORD,
  'user[password_confirmation]': PASSWORD,
}

/** The link that `ctl owner-link` prints, as a path. */
async function printLink({ databaseUrl, url }: TestServer): Promise<string> {
  const { code, out, err } = await runHere(['owner-link'], { DATABASE_URL: databaseUrl, PUBLIC_URL: url })
  assert.equal(code, 0, err)
  assert.match(out, new RegExp(`^${url}/setup\\?token=[\\w-]{43}\\n$`))
  return out.trim().slice(url.length)
}

const owners = (server: TestServer) =>
  sql(
    server,
    `select a.username, u.email, u.confirmed_at is not null as confirmed, u.approved, r.name as role
     from users u join accounts a on a.id = u.account_id join roles r on r.id = u.role_id`,
  )

async function newServer(t: Test): Promise<{ server: TestServer; browser: Browser }> {
  const server = await startServer(t)
  return { server, browser: new Browser(server) }
}

test('the link makes the account of the owner, signs in, and leads to registrations', async t => {
  const { server, browser } = await newServer(t)
  const link = await printLink(server)
  const stored = await sql(server, 'select encode(token_hash, $1) as hash from owner_links', ['hex'])
  assert.equal(stored.length, 1)
  assert.ok(!JSON.stringify(stored).includes(link.split('=')[1] ?? ''), 'the token is stored in plain text')
  const page = await browser.get(link)
  assert.equal(page.status, 200)
  // Password managers learn what the sign-in asks for.
  assert.match(page.text, /name="user\[email\]"[^>]* autocomplete="username"/)
  assert.equal(page.text.match(/autocomplete="username"/g)?.length, 1)
  const made = await browser.submit(page, '/setup', FIELDS)
  assert.deepEqual([made.status, made.location], [303, '/admin/settings/registrations'])
  const settings = await browser.get(made.location)
  assert.equal(settings.status, 200)
  assert.match(settings.text, /You are the owner/)
  assert.deepEqual(await owners(server), [
    { username: 'admin', email: 'owner@example.com', confirmed: true, approved: true, role: 'Owner' },
  ])

  // Neither the same link nor a new one makes another.
  assert.equal((await new Browser(server).get(link)).status, 403)
  const again = await browser.submit(page, '/setup', { ...FIELDS, 'user[username]': 'second' }).catch(() => undefined)
  assert.ok(again === undefined || again.status >= 400)
  const { code, err } = await runHere(['owner-link'], { DATABASE_URL: server.databaseUrl, PUBLIC_URL: server.url })
  assert.equal(code, 1)
  assert.match(err, /^This server has an owner: [^\n]+\n$/)
  assert.equal((await owners(server)).length, 1)
})

test('of several requests with one link at once, one makes an account', async t => {
  const { server } = await newServer(t)
  const link = await printLink(server)
  const answers = await Promise.all(
    [1, 2, 3, 4].map(async number => {
      const browser = new Browser(server)
      const change = { 'user[username]': `owner${number}`, 'user[email]': `owner${number}@example.com` }
      return browser.submit(await browser.get(link), '/setup', { ...FIELDS, ...change })
    }),
  )
  assert.deepEqual(
    answers.map(({ status }) => status).toSorted((a, b) => a - b),
    [303, 403, 403, 403],
  )
  assert.equal((await owners(server)).length, 1)
})

test('unknown, superseded and expired links are refused, and so is a form without its token', async t => {
  const { server, browser } = await newServer(t)
  const first = await printLink(server)
  const second = await printLink(server)
  for (const path of ['/setup', '/setup?token=', '/setup?token=nonsense', first])
    assert.equal((await browser.get(path)).status, 404, path)
  const page = await browser.get(second)
  assert.equal(page.status, 200)
  const forged = await browser.submit(page, '/setup', { ...FIELDS, authenticity_token: 'forged' })
  assert.ok(forged.status >= 400 && forged.status < 500)
  await sql(server, `update owner_links set expires_at = now() - interval '1 second'`)
  const late = await browser.submit(page, '/setup', FIELDS)
  assert.equal(late.status, 404)
  assert.match(late.text, /ctl -- owner-link/)
  assert.deepEqual(await owners(server), [])
})

test('errors are shown beside their fields, in the language of the browser', async t => {
  const { server, browser } = await newServer(t)
  const taken = await person(server, 'taken')
  const page = await browser.get(await printLink(server))
  for (const [change, pattern] of [
    [{ 'user[username]': 'two words' }, /must contain only letters/i],
    [{ 'user[username]': taken.username.toUpperCase() }, /taken/],
    [{ 'user[email]': 'nobody' }, /invalid|not valid|no e-mail/i],
    [{ 'user[email]': `${taken.username}@EXAMPLE.com` }, /taken/],
    [{ 'user[password]': 'short', 'user[password_confirmation]': 'short' }, /too short|at least/i],
    [{ 'user[password_confirmation]': 'other' }, /not the same|differ|match/i],
  ] as const) {
    const response = await browser.submit(page, '/setup', { ...FIELDS, ...change })
    assert.equal(response.status, 200, JSON.stringify(change))
    assert.match(response.text, pattern, JSON.stringify(change))
    assert.match(response.text, /value="(?:admin|two words|taken_\w+|TAKEN_\w+)"/, 'what was typed is shown again')
  }
  const link = await printLink(server)
  assert.match((await browser.get(`${link}&lang=de`)).text, /Konto anlegen/)
  assert.match((await browser.get(`${link}&lang=fr`)).text, /Créer le compte/)
})

test('an account by ctl with the role of the owner ends the link too', async t => {
  const { server, browser } = await newServer(t)
  const link = await printLink(server)
  await person(server, 'olga', { roleId: 3 })
  const response = await browser.get(link)
  assert.equal(response.status, 403)
  assert.match(response.text, /has an owner/)
})
