import assert from 'node:assert/strict'
import { test } from 'tap'
import { person, sql } from '../../support/people.ts'
import { sharedServer } from '../../support/server.ts'
import { assertCsrf, assertOnlyStaff, readText, staffMember } from '../staff_fixtures.ts'

const PATH = '/admin/tags'

test('a hashtag is reviewed by those who manage taxonomies', async t => {
  const server = await sharedServer()
  const alice = await person(server, 'alice')
  t.after(() => alice.close())
  await alice.postStatus('#Quince')
  const [row] = await sql(server, `select id::text from tags where name = 'quince'`)
  const path = `${PATH}/${String(row?.['id'])}`
  await assertOnlyStaff(t, server, [PATH, path])
  const { browser } = await staffMember(t, server, 'moderator')
  await assertCsrf(browser, path, { _method: 'put' })
  assert.equal((await browser.get(`${PATH}/999999`)).status, 404)
  assert.match(readText(await browser.get(PATH)), /#Quince Not reviewed/)
  assert.match(readText(await browser.get(`${PATH}?name=%23QUINCE`)), /#Quince/)
  assert.match(readText(await browser.get(`${PATH}?name=other`)), /no such hashtags/)

  const page = await browser.get(path)
  const wrong = await browser.submit(page, path, { display_name: 'Other' }, 'put')
  assert.deepEqual([wrong.status, readText(wrong).includes('does not match')], [422, true])
  const change = { display_name: 'QUINCE', trendable: 'true', usable: null }
  assert.equal((await browser.submit(page, path, change, 'put')).location, path)
  assert.match(readText(await browser.get(PATH)), /#QUINCE Reviewed Not usable/)
  const refused = await alice.post('/api/v1/statuses', { status: '#quince' })
  assert.equal(refused.status, 422)
})
