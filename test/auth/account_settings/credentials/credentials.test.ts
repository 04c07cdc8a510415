import assert from 'node:assert/strict'
import { test } from 'tap'
import { Browser, readHtml } from '../../../support/browser.ts'
import { Client } from '../../../support/client.ts'
import { PASSWORD, personWithPassword } from '../../../support/oauth.ts'
import { makeToken, sql } from '../../../support/people.ts'
import { sharedServer } from '../../../support/server.ts'
import { waitForMail } from '../../../accounts/waiting.ts'

const NEW_PASSWORD = 'another horse battery'

test('a password reset by e-mail works once and ends all sessions and tokens', async () => {
  const server = await sharedServer()
  const alice = await personWithPassword(server, 'alice')
  const elsewhere = new Browser(server)
  await elsewhere.signIn(alice.email, PASSWORD)
  const holder = new Client(server, await makeToken(server, alice.userId))
  assert.equal((await holder.get('/api/v1/apps/verify_credentials')).status, 200)
  const browser = new Browser(server)
  const request = await browser.get('/auth/password/new')
  for (const email of ['nobody@example.com', alice.email.toUpperCase()]) {
    const sent = await browser.submit(request, '/auth/password', { 'user[email]': email })
    assert.deepEqual([sent.status, sent.location], [303, '/auth/sign_in'])
  }
  const email = await waitForMail(server, alice.email)
  const link = new URL(/https?:\/\/\S+reset_password_token=[\w-]+/.exec(email)?.[0] ?? '')
  const path = `${link.pathname}${link.search}`
  const page = await browser.get(path)
  const mismatch = await browser.submit(page, '/auth/password', { 'user[password]': NEW_PASSWORD }, 'put')
  assert.ok(readHtml(mismatch.text).includes("doesn't match Password"))
  const fields = { 'user[password]': NEW_PASSWORD, 'user[password_confirmation]': NEW_PASSWORD }
  const done = await browser.submit(page, '/auth/password', fields, 'put')
  assert.deepEqual([done.status, done.location], [303, '/auth/sign_in'])
  const after = await holder.get('/api/v1/apps/verify_credentials')
  assert.deepEqual([after.status, after.json], [401, { error: 'The access token was revoked' }])
  assert.equal((await elsewhere.get('/auth/edit')).location, '/auth/sign_in')
  const again = await browser.submit(page, '/auth/password', fields, 'put')
  assert.deepEqual([again.status, /invalid or expired/.test(again.text)], [200, true])
  assert.equal((await browser.get(path)).location, '/auth/password/new')
  assert.equal((await new Browser(server).signIn(alice.email, PASSWORD)).status, 200)
  assert.equal((await new Browser(server).signIn(alice.email, NEW_PASSWORD)).status, 303)
})

test('the link of a password reset is valid for six hours', async () => {
  const server = await sharedServer()
  const alice = await personWithPassword(server, 'alice')
  const set = `update users set reset_password_token_hash = sha256('secret'), reset_password_sent_at = now() - $2::interval where id = $1`
  const browser = new Browser(server)
  await sql(server, set, [alice.userId, '5 hours 59 minutes'])
  assert.equal((await browser.get('/auth/password/edit?reset_password_token=secret')).status, 200)
  await sql(server, set, [alice.userId, '6 hours'])
  const late = await browser.get('/auth/password/edit?reset_password_token=secret')
  assert.deepEqual([late.status, late.location], [302, '/auth/password/new'])
})

test('the e-mail address and password are changed only with the current password', async () => {
  const server = await sharedServer()
  const alice = await personWithPassword(server, 'alice')
  const browser = new Browser(server)
  const elsewhere = new Browser(server)
  await browser.signIn(alice.email, PASSWORD)
  await elsewhere.signIn(alice.email, PASSWORD)
  const holder = new Client(server, await makeToken(server, alice.userId))
  const page = await browser.get('/auth/edit')
  const change = (fields: Record<string, string>): ReturnType<Browser['submit']> =>
    browser.submit(page, '/auth', { ...fields }, 'put')
  const passwords = { 'user[password]': NEW_PASSWORD, 'user[password_confirmation]': NEW_PASSWORD }
  const refused = await change({ ...passwords, 'user[current_password]': 'wrong' })
  assert.equal(refused.status, 200)
  assert.match(refused.text, /user_current_password_error/)
  for (let tries = 1; tries < 10; tries += 1) await change({ 'user[current_password]': 'wrong' })
  assert.equal((await change({ ...passwords, 'user[current_password]': PASSWORD })).status, 429)
  await sql(server, `delete from rate_counters where name = 'current_password'`)
  const address = `new_${alice.email}`
  const moved = await change({ 'user[email]': address, 'user[current_password]': PASSWORD })
  assert.deepEqual([moved.status, moved.location], [302, '/auth/edit'])
  assert.ok((await browser.get('/auth/edit')).text.includes(address))
  const email = await waitForMail(server, address)
  const link = new URL(/https?:\/\/\S+confirmation_token=[\w-]+/.exec(email)?.[0] ?? '')
  await browser.get(`${link.pathname}${link.search}`)
  const [row] = await sql(server, 'select email from users where id = $1', [alice.userId])
  assert.equal(row?.['email'], address)
  const changed = await change({ ...passwords, 'user[current_password]': PASSWORD, 'user[email]': address })
  assert.equal(changed.status, 302)
  assert.equal((await browser.get('/auth/edit')).status, 200, 'this browser stays signed in')
  assert.equal((await elsewhere.get('/auth/edit')).status, 302)
  assert.equal((await holder.get('/api/v1/apps/verify_credentials')).status, 200, 'tokens stay')
  assert.equal((await new Browser(server).signIn(address, NEW_PASSWORD)).status, 303)
})

test('a suspended user sees the state of the account but cannot change it', async () => {
  const server = await sharedServer()
  const bob = await personWithPassword(server, 'bob', { account: { suspended_at: new Date() } })
  const browser = new Browser(server)
  await browser.signIn(bob.email, PASSWORD)
  const page = await browser.get('/auth/edit')
  assert.match(page.text, /suspended/)
  const token = page.forms[0]?.fields['authenticity_token'] ?? ''
  const form = { authenticity_token: token, _method: 'put', 'user[current_password]': PASSWORD }
  assert.equal((await browser.post('/auth', form)).status, 403)
  assert.equal((await browser.post('/auth', { authenticity_token: token, _method: 'delete' })).status, 404)
})

test('/.well-known/change-password redirects to the page', async () => {
  const { status, location } = await new Browser(await sharedServer()).get('/.well-known/change-password')
  assert.deepEqual([status, location], [301, '/auth/edit'])
})
