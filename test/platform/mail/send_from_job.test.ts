import assert from 'node:assert/strict'
import { test } from 'tap'
import { waitForJobs } from '../../federation/federation_fixtures.ts'
import { Browser } from '../../support/browser.ts'
import { startMailServer } from '../../support/mailbox.ts'
import { personWithPassword } from '../../support/oauth.ts'
import { startServer } from '../../support/server.ts'

test('an e-mail that may have arrived, or is refused for good, is not sent again', async t => {
  const mail = await startMailServer(t)
  const server = await startServer(t, { env: { SMTP_URL: mail.url } })
  const { email } = await personWithPassword(server, 'alice')
  const browser = new Browser(server)
  const request = async (): Promise<void> => {
    await browser.submit(await browser.get('/auth/password/new'), '/auth/password', { 'user[email]': email })
    await waitForJobs(t, server, 'credentials.send_reset')
  }
  mail.breaking = true
  await request()
  assert.equal(mail.count(email), 1)
  const { text } = await mail.email(email, /./)
  const link = new URL(/https?:\/\/\S+reset_password_token=\S+/.exec(text)?.[0] ?? '')
  const opened = await browser.get(`${link.pathname}${link.search}`)
  assert.match(opened.text, /user\[password\]/, 'its link is valid')
  mail.breaking = false
  mail.refusals.set(email, [550, 'no such user'])
  await request()
  assert.equal(mail.count(email), 1)
})
