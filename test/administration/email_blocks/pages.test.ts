import assert from 'node:assert/strict'
import { test } from 'tap'
import { sharedServer } from '../../support/server.ts'
import { assertCsrf, assertOnlyStaff, loggedActions, readText, staffMember } from '../staff_fixtures.ts'

const DOMAINS = '/admin/email_domain_blocks'
const ADDRESSES = '/admin/canonical_email_blocks'

test('e-mail domains and addresses are blocked and unblocked by those who manage blocks', async t => {
  const server = await sharedServer()
  await assertOnlyStaff(t, server, [DOMAINS, ADDRESSES])
  const { browser: moderator } = await staffMember(t, server, 'moderator')
  assert.equal((await moderator.get(DOMAINS)).status, 403)
  const { person, browser } = await staffMember(t, server, 'admin')
  for (const path of [DOMAINS, ADDRESSES]) await assertCsrf(browser, path)

  const domains = await browser.get(DOMAINS)
  const wrong = await browser.submit(domains, DOMAINS, { domain: 'no <domain>' })
  assert.deepEqual([wrong.status, readText(wrong).includes('not a valid domain name')], [422, true])
  for (const chosen of ['allow_with_approval', 'with_dns_records']) {
    const refused = await browser.submit(domains, DOMAINS, { domain: 'no <domain>', [chosen]: '1' })
    const { authenticity_token: _, ...fields } = refused.forms.find(({ action }) => action === DOMAINS)?.fields ?? {}
    assert.deepEqual(fields, { domain: 'no <domain>', [chosen]: '1' })
  }
  await browser.submit(domains, DOMAINS, { domain: 'Spam.Example', allow_with_approval: '1' })
  const listed = await browser.get(DOMAINS)
  assert.match(readText(listed), /spam\.example with approval 0 attempts/)
  assert.match(readText(await browser.submit(domains, DOMAINS, { domain: 'spam.example' })), /already been taken/)
  const domain = /name="ids\[\]" value="(\d+)"/.exec(listed.text)?.[1] ?? ''
  await browser.submit(listed, `${DOMAINS}/batch`, { change: 'delete', 'ids[]': domain })
  assert.match(readText(await browser.get(DOMAINS)), /1 entry was changed.*Nothing is blocked/)

  const addresses = await browser.get(ADDRESSES)
  assert.equal((await browser.submit(addresses, ADDRESSES, { email: 'nobody' })).status, 422)
  const tested = await browser.submit(addresses, ADDRESSES, { email: 'a@example.com', test: '1' })
  assert.deepEqual([tested.status, readText(tested).includes('This address is not blocked')], [200, true])
  await browser.submit(addresses, ADDRESSES, { email: 'A.b+c@example.com' })
  const again = await browser.submit(addresses, ADDRESSES, { email: 'ab@example.com', test: '1' })
  assert.match(readText(again), /This address is blocked/)
  const list = await browser.get(ADDRESSES)
  const block = /name="ids\[\]" value="(\d+)"/.exec(list.text)?.[1] ?? ''
  await browser.submit(list, `${ADDRESSES}/batch`, { change: 'delete', 'ids[]': block })
  assert.match(readText(await browser.get(ADDRESSES)), /1 entry was changed.*Nothing is blocked/)
  assert.equal((await loggedActions(server, person)).length, 4)
})
