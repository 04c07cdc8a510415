import assert from 'node:assert/strict'
import { test } from 'tap'
import { person } from '../../support/people.ts'
import { sharedServer } from '../../support/server.ts'
import { assertCsrf, assertOnlyStaff, readText, staffMember } from '../staff_fixtures.ts'

const PATH = '/admin/follow_recommendations'

test('staff choose the accounts that new users should follow', async t => {
  const server = await sharedServer()
  await assertOnlyStaff(t, server, [PATH])
  const { browser } = await staffMember(t, server, 'moderator')
  await assertCsrf(browser, PATH, { _method: 'put' })
  const alice = await person(server, 'alice', { account: { discoverable: true } })
  const bob = await person(server, 'bob')
  t.after(() => Promise.all([alice.close(), bob.close()]))

  const page = await browser.get(PATH)
  const token = page.forms.find(form => form.action === PATH)?.fields['authenticity_token'] ?? ''
  const send = (fields: Record<string, string>) =>
    browser.post(PATH, { authenticity_token: token, _method: 'put', ...fields })
  const wrong = await send({ bootstrap_timeline_accounts: `${alice.username}\nnot <an> account` })
  assert.equal(wrong.status, 422)
  assert.match(readText(wrong), /<an> is not an account/)
  const many = await send({ auto_follow_accounts: Array.from({ length: 101 }, (_, n) => `a${n}`).join(' ') })
  assert.match(readText(many), /at most 100 accounts/)

  assert.equal((await send({ bootstrap_timeline_accounts: `@${alice.username}, nobody_here` })).location, PATH)
  const shown = readText(await browser.get(PATH))
  assert.ok(shown.includes(`@${alice.username}`) && shown.includes('@nobody_here not known here'), shown)
  const { json } = await bob.get('/api/v2/suggestions')
  const featured = (json as { source: string; account: { id: string } }[]).filter(({ source }) => source === 'staff')
  assert.deepEqual(
    featured.map(({ account }) => account.id),
    [alice.id],
  )
})
