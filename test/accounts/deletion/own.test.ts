import assert from 'node:assert/strict'
import { test, type Test } from 'tap'
import { entity, until } from '../../media/attachments/media_fixtures.ts'
import { Browser, type Page } from '../../support/browser.ts'
import { Client } from '../../support/client.ts'
import { createTestDatabase } from '../../support/database.ts'
import { startMailServer } from '../../support/mailbox.ts'
import { PASSWORD, personWithPassword } from '../../support/oauth.ts'
import { makeToken, person, sql, uncachedAnonymous } from '../../support/people.ts'
import { OPEN_REGISTRATIONS, sharedServer, startServer, type ServerAddress } from '../../support/server.ts'

const PAGE = '/settings/delete'
const PASSWORD_FIELD = 'form_delete_confirmation[password]'

const deleteWith = async (browser: Browser, password: string): Promise<Page> =>
  browser.submit(await browser.get(PAGE), PAGE, { [PASSWORD_FIELD]: password }, 'delete')

const userOf = (server: ServerAddress, account: string): Promise<unknown[]> =>
  sql(server, 'select id from users where account_id = $1', [account])

/** Makes the removal of favourites fail, so that a deletion stops in the middle. */
const block = `
  create function refuse() returns trigger language plpgsql as $$ begin raise exception 'not now'; end $$;
  create trigger refused before delete on favourites for each row execute function refuse()`

/** Whether the removal was attempted and failed. */
const hasFailed = async (server: ServerAddress): Promise<boolean> => {
  const [row] = await sql(
    server,
    `select attempts, last_error from graphile_worker.jobs where task_identifier = 'account_removal.remove'`,
  )
  return Number(row?.['attempts']) > 0 && row?.['last_error'] !== null
}

async function openBrowser(t: Test, server: ServerAddress, name: string) {
  const owner = await personWithPassword(server, name)
  t.after(() => owner.close())
  const browser = new Browser(server)
  await browser.signIn(owner.email, PASSWORD)
  return { owner, browser }
}

test('deleting an account on its page ends all sessions, hides it at once and keeps its name taken', async t => {
  const mailbox = await startMailServer(t)
  const server = await startServer(t, { ...OPEN_REGISTRATIONS, env: { SMTP_URL: mailbox.url } })
  const { owner, browser } = await openBrowser(t, server, 'alice')
  const bob = await person(server, 'bob')
  t.after(() => bob.close())
  await bob.follow(owner)
  const status = await owner.postStatus('soon gone')
  const elsewhere = new Browser(server)
  await elsewhere.signIn(owner.email, PASSWORD)
  const stream = await owner.stream('user')
  const page = await browser.get(PAGE)
  assert.ok(page.text.includes(`@${owner.username}@`), 'the page names the account')
  assert.match(page.text, /href="\/settings\/exports"/)
  const wrong = await deleteWith(browser, 'not this one')
  assert.deepEqual([wrong.status, /form_delete_confirmation_password_error/.test(wrong.text)], [200, true])
  assert.equal((await owner.get('/api/v1/accounts/verify_credentials')).status, 200)

  const done = await deleteWith(browser, PASSWORD)
  assert.deepEqual([done.status, done.location], [303, '/auth/sign_in'])
  assert.match((await browser.get('/auth/sign_in')).text, /Your account is being deleted/)
  assert.deepEqual(
    [(await browser.get(PAGE)).location, (await elsewhere.get(PAGE)).location],
    ['/auth/sign_in', '/auth/sign_in'],
  )
  await stream.end()
  assert.ok([401, 403].includes((await owner.get('/api/v1/accounts/verify_credentials')).status))
  assert.equal((await bob.get(`/api/v1/accounts/${owner.id}`)).status, 404)
  assert.equal((await bob.get(`/api/v1/accounts/lookup?acct=${owner.username}`)).status, 404)
  assert.equal((await uncachedAnonymous(server).get(`/api/v1/statuses/${status.id}`)).status, 404)
  const email = await mailbox.email(owner.email, /is being deleted/)
  assert.ok(email.text.includes(`@${owner.username}`))

  await until(
    () => userOf(server, owner.id),
    rows => rows.length === 0,
    'the removal',
  )
  assert.equal((await owner.get('/api/v1/accounts/verify_credentials')).status, 401)
  assert.equal(entity(await bob.get('/api/v1/accounts/verify_credentials'))['following_count'], 0)
  const application = new Client(server, await makeToken(server, null))
  const wanted = { email: owner.email, password: PASSWORD, agreement: true }
  const taken = await application.post('/api/v1/accounts', { ...wanted, username: owner.username.toUpperCase() })
  assert.deepEqual([taken.status, /Username has already been taken/.test(taken.text)], [422, true])
  const other = await application.post('/api/v1/accounts', { ...wanted, username: `${owner.username}_2` })
  assert.equal(other.status, 200, 'the address is free')
})

test('an interrupted deletion continues with the next server', async t => {
  const database = await createTestDatabase()
  const server = await startServer(t, { databaseUrl: database.url })
  const { owner, browser } = await openBrowser(t, server, 'alice')
  const bob = await person(server, 'bob')
  const status = await bob.postStatus('liked')
  await owner.post(`/api/v1/statuses/${status.id}/favourite`)
  await owner.postStatus('removed first')
  await sql(server, block)
  assert.equal((await deleteWith(browser, PASSWORD)).status, 303)
  await until(
    () => hasFailed(server),
    tried => tried,
    'a first try',
  )
  const [left] = await sql(
    server,
    `select (select count(*) from statuses where account_id = $1) as statuses,
       (select count(*) from favourites where account_id = $1) as favourites`,
    [owner.id],
  )
  assert.deepEqual(left, { statuses: '0', favourites: '1' })
  assert.equal((await bob.get(`/api/v1/accounts/${owner.id}`)).status, 404, 'a partly deleted account is not visible')
  await server.stop()
  const next = await startServer(t, { databaseUrl: database.url })
  t.after(() => database.drop())
  await sql(next, 'drop trigger refused on favourites')
  await until(
    () => userOf(next, owner.id),
    rows => rows.length === 0,
    'the rest of the removal',
  )
  const [row] = await sql(next, 'select favourites_count from status_stats where status_id = $1', [status.id])
  assert.equal(row?.['favourites_count'], 0)
})

test('any signed-in user who is not suspended can delete their account, with the CSRF token of the form', async t => {
  const server = await sharedServer()
  const suspended = await personWithPassword(server, 'carol', { account: { suspended_at: new Date() } })
  const browser = new Browser(server)
  await browser.signIn(suspended.email, PASSWORD)
  assert.equal((await browser.get(PAGE)).status, 403)
  assert.equal((await new Browser(server).get(PAGE)).location, '/auth/sign_in')
  const { owner, browser: own } = await openBrowser(t, server, 'dora')
  assert.equal((await own.post(PAGE, { _method: 'delete', [PASSWORD_FIELD]: PASSWORD })).status, 422)
  const page = await own.get(PAGE)
  const { authenticity_token: token = '' } = page.forms.find(form => form.action === PAGE)?.fields ?? {}
  assert.equal((await own.post(PAGE, { _method: 'delete', authenticity_token: token })).status, 400)
  assert.equal((await userOf(server, owner.id)).length, 1)
  const pending = await personWithPassword(server, 'eve', { user: { approved: false } })
  const third = new Browser(server)
  await third.signIn(pending.email, PASSWORD)
  assert.equal((await deleteWith(third, PASSWORD)).status, 303)
})
