import assert from 'node:assert/strict'
import { test } from 'tap'
import { Browser, readHtml } from '../../support/browser.ts'
import { Client } from '../../support/client.ts'
import { startMailServer } from '../../support/mailbox.ts'
import { person, sql } from '../../support/people.ts'
import { startServer } from '../../support/server.ts'
import { endEmailDelay } from '../email/email_delay.ts'

test('an e-mail about a notification has a link that ends e-mails of its type, also by one click', async t => {
  const mailbox = await startMailServer(t)
  const server = await startServer(t, { env: { SMTP_URL: mailbox.url } })
  const [alice, bob] = await Promise.all([person(server, 'alice'), person(server, 'bob')])
  const email = `${alice.username}@example.com`
  const types = async (): Promise<unknown> =>
    (await sql(server, 'select mail_types from users where account_id = $1', [alice.id]))[0]?.['mail_types']
  await bob.follow(alice)
  await bob.postStatus(`@${alice.username} hello`)
  await endEmailDelay(server)
  const [follow, mention] = [await mailbox.email(email, /following/), await mailbox.email(email, /mentioned/)]
  const linkOf = (headers: string): URL => new URL(/^List-Unsubscribe: <([^>]+)>/m.exec(headers)?.[1] ?? '')
  assert.match(follow.headers, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r?$/m)

  const link = linkOf(follow.headers)
  assert.ok(follow.text.includes(`Unsubscribe: ${link.href}`))
  const visitor = new Browser(server)
  const page = await visitor.get(link.pathname + link.search)
  assert.match(readHtml(page.text), /Somebody follows me/)
  assert.deepEqual(await types(), ['mention', 'quote', 'follow', 'follow_request'], 'to open the link is not enough')
  const done = await visitor.submit(page, link.pathname + link.search)
  assert.match(done.text, /You are unsubscribed/)
  assert.deepEqual(await types(), ['mention', 'quote', 'follow_request'])
  assert.match((await visitor.get(link.pathname + link.search)).text, /You are unsubscribed/)

  const other = linkOf(mention.headers)
  const oneClick = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
  const response = await new Client(server).post(other.pathname + other.search, oneClick)
  assert.equal(response.status, 200)
  assert.deepEqual(await types(), ['quote', 'follow_request'])
  const moved = linkOf(mention.headers)
  await sql(server, `update users set email = 'new@private.example', mail_types = '{mention}' where account_id = $1`, [
    alice.id,
  ])
  const stranger = await visitor.get(moved.pathname + moved.search)
  assert.match(stranger.text, /You are unsubscribed/)
  assert.doesNotMatch(stranger.text, /private\.example/, 'an old e-mail does not tell the new address')
  assert.equal((await new Client(server).post(moved.pathname + moved.search, oneClick)).status, 200)
  assert.deepEqual(await types(), ['mention'], 'what the new address gets is not for readers of the old one')
  other.searchParams.set('type', 'quote')
  assert.equal((await new Client(server).post(other.pathname + other.search, oneClick)).status, 404, 'another type')
})
