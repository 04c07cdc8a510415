import assert from 'node:assert/strict'
import { test } from 'tap'
import { Browser } from '../../support/browser.ts'
import { people } from '../../support/people.ts'
import { statusesOn } from './page_fixtures.ts'

test("a status's page shows its thread", async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const root = await alice.postStatus('root')
  const middle = await bob.postStatus('middle', { in_reply_to_id: root.id })
  const leaf = await alice.postStatus('leaf', { in_reply_to_id: middle.id })
  const hidden = await alice.postStatus('hidden', { in_reply_to_id: middle.id, visibility: 'private' })
  const browser = new Browser(server)
  const page = await browser.get(`/@${bob.username}/${middle.id}`)
  assert.equal(page.status, 200)
  assert.deepEqual(statusesOn(page), [root.id, middle.id, leaf.id])
  assert.match(page.text, /<h2 id="replies">Replies<\/h2>/)
  assert.ok(!page.text.includes(hidden.id))
  const alone = await browser.get(`/@${alice.username}/${leaf.id}`)
  assert.deepEqual(statusesOn(alone), [root.id, middle.id, leaf.id])
  assert.doesNotMatch(alone.text, /id="replies"/)
})

test('the replies of a long thread are on several pages', async t => {
  const { alice, server } = await people(t, 'alice')
  const root = await alice.postStatus('root')
  const replies: string[] = []
  for (let count = 0; count < 25; count += 1)
    replies.push((await alice.postStatus(`reply ${count}`, { in_reply_to_id: root.id })).id)
  const browser = new Browser(server)
  const path = `/@${alice.username}/${root.id}`
  const first = await browser.get(path)
  assert.deepEqual(statusesOn(first), [root.id, ...replies.slice(0, 20)])
  assert.match(first.text, new RegExp(`<a rel="next" href="${path}\\?page=2">`))
  const second = await browser.get(`${path}?page=2`)
  assert.deepEqual(statusesOn(second), [root.id, ...replies.slice(20)])
  assert.match(second.text, new RegExp(`<a rel="prev" href="${path}">`))
  assert.doesNotMatch(second.text, /rel="next"/)
  assert.deepEqual(statusesOn(await browser.get(`${path}?page=3`)), [root.id])
  for (const page of ['0', '-1', '99999']) assert.equal((await browser.get(`${path}?page=${page}`)).status, 422, page)
})
