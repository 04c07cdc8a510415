import assert from 'node:assert/strict'
import { test } from 'tap'
import { person, sql } from '../../support/people.ts'
import { sharedServer } from '../../support/server.ts'
import { loggedActions, readText, staffMember } from '../staff_fixtures.ts'

test('staff see how many e-mail subscribers an account has, and remove them all', async t => {
  const server = await sharedServer()
  const { person: moderator, browser } = await staffMember(t, server, 'moderator')
  const author = await person(server, 'author')
  const path = `/admin/accounts/${author.id}`
  assert.doesNotMatch(readText(await browser.get(path)), /E-mail subscribers/)
  await sql(
    server,
    `insert into email_subscriptions (account_id, email) select $1, 'reader' || n || '@example.com' from generate_series(1, 3) n`,
    [author.id],
  )
  const page = await browser.get(path)
  assert.match(readText(page), /E-mail subscribers 3 /)
  assert.doesNotMatch(page.text, /reader1@/, 'the addresses are for the owner')
  const removed = await browser.submit(page, `${path}/remove_email_subscribers`)
  assert.equal(removed.location, path)
  assert.match(readText(await browser.get(path)), /All e-mail subscribers were removed/)
  assert.deepEqual(await sql(server, 'select from email_subscriptions'), [])
  assert.deepEqual(await loggedActions(server, moderator), [`destroy EmailSubscription ${author.username}`])

  const owner = await person(server, 'owner', { roleId: 3 })
  await sql(server, `insert into email_subscriptions (account_id, email) values ($1, 'reader@example.com')`, [owner.id])
  const above = await browser.get(`/admin/accounts/${owner.id}`)
  const token = above.forms[0]?.fields['authenticity_token'] ?? ''
  const refused = await browser.post(`/admin/accounts/${owner.id}/remove_email_subscribers`, {
    authenticity_token: token,
  })
  assert.equal(refused.status, 403, 'nobody acts on somebody of a higher role')
})
