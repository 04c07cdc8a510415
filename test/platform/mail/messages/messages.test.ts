import assert from 'node:assert/strict'
import { test } from 'tap'
import { Browser } from '../../../support/browser.ts'
import { startMailServer } from '../../../support/mailbox.ts'
import { PASSWORD, personWithPassword } from '../../../support/oauth.ts'
import { startServer } from '../../../support/server.ts'

test('an e-mail is in the language of its recipient and is retried after a rejection', async t => {
  const mail = await startMailServer(t)
  const server = await startServer(t, { env: { SMTP_URL: mail.url } })
  const alice = await personWithPassword(server, 'alice', { user: { locale: 'de' } })
  const browser = new Browser(server)
  await browser.signIn(alice.email, PASSWORD)
  const page = await browser.get('/auth/edit')
  assert.match(page.text, /<html lang="de"/)
  const change = { 'user[email]': `new_${alice.email}`, 'user[current_password]': PASSWORD }
  mail.refusing = true
  await browser.submit(page, '/auth', change, 'put')
  await mail.refused()
  mail.refusing = false
  const confirmation = await mail.email(`new_${alice.email}`, /^Bestätigen Sie Ihre neue E-Mail-Adresse/)
  assert.match(confirmation.text, /confirmation_token=/)
  assert.match(confirmation.html, /<html lang="de"/)
  assert.match(confirmation.headers, /^Content-Language: de$/m)
  assert.match(confirmation.headers, /^Auto-Submitted: auto-generated$/m)
})

test('the old address is notified of a changed address and a changed password', async t => {
  const mail = await startMailServer(t)
  const server = await startServer(t, { env: { SMTP_URL: mail.url } })
  const alice = await personWithPassword(server, 'alice')
  const browser = new Browser(server)
  await browser.signIn(alice.email, PASSWORD)
  const page = await browser.get('/auth/edit')
  const current = { 'user[current_password]': PASSWORD }
  await browser.submit(page, '/auth', { ...current, 'user[email]': `new_${alice.email}` }, 'put')
  const notice = await mail.email(alice.email, /is about to change/)
  assert.ok(notice.text.includes(`new_${alice.email}`))
  const next = { 'user[password]': 'another horse', 'user[password_confirmation]': 'another horse' }
  await browser.submit(page, '/auth', { ...current, ...next, 'user[email]': '' }, 'put')
  assert.match((await mail.email(alice.email, /password .* was changed/)).text, /reset it at once/)
})

test('a sign-in from another network is sent by e-mail and is listed on the page of sign-ins', async t => {
  const mail = await startMailServer(t)
  const server = await startServer(t, { env: { SMTP_URL: mail.url } })
  const alice = await personWithPassword(server, 'alice')
  const from = async (address: string): Promise<Browser> => {
    const browser = new Browser(server)
    const headers = { 'x-forwarded-for': address, 'user-agent': 'Mozilla/5.0 (X11; Linux) Firefox/140.0' }
    const page = await browser.get('/auth/sign_in')
    const token = page.forms[0]?.fields['authenticity_token'] ?? ''
    const fields = { authenticity_token: token, 'user[email]': alice.email, 'user[password]': PASSWORD }
    assert.equal((await browser.post('/auth/sign_in', fields, headers)).status, 303)
    return browser
  }
  await from('192.0.2.1')
  const second = await from('192.0.7.7')
  const third = await from('203.0.113.5')
  const email = await mail.email(alice.email, /from a new place/)
  assert.match(email.text, /203\.0\.113\.5, Firefox, Linux/)
  const page = await third.get('/settings/login_activities')
  assert.match(page.text, /203\.0\.113\.5[\s\S]*192\.0\.7\.7[\s\S]*192\.0\.2\.1/)
  const edit = await third.get('/auth/edit')
  const other = edit.forms.find(form => form.action.startsWith('/settings/sessions/'))
  assert.equal((await third.submit(edit, other?.action ?? '', {}, 'delete')).status, 302)
  assert.equal((await second.get('/auth/edit')).location, '/auth/sign_in')
})
