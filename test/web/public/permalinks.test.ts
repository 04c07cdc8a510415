import assert from 'node:assert/strict'
import { test } from 'tap'
import { Browser } from '../../support/browser.ts'
import { people, waitForEventLog } from '../../support/people.ts'
import { RawConnection } from '../../support/raw_http.ts'
import { signedIn } from '../../support/signed_in.ts'

test('addresses of the client that tools build lead to the pages', async t => {
  const { alice, server } = await people(t, 'alice')
  const browser = new Browser(server)
  const post = await alice.postStatus('linked')
  const hidden = await alice.postStatus('for followers', { visibility: 'private' })
  const profile = `/@${alice.username}`
  for (const [from, to] of [
    [`/statuses/${post.id}`, `${profile}/${post.id}`],
    [`/accounts/${alice.id}`, profile],
    ['/web', '/'],
    ['/web/', '/'],
    [`/web/statuses/${post.id}`, `/statuses/${post.id}`],
    [`/web${profile}/${post.id}?page=2`, `${profile}/${post.id}?page=2`],
    ['/web/timelines/tag/tea', '/timelines/tag/tea'],
  ] as const) {
    const { status, location } = await browser.get(from)
    assert.deepEqual([status, location], [302, to], from)
  }
  for (const path of [`/statuses/${hidden.id}`, '/statuses/1', '/statuses/x', '/accounts/1', '/accounts/x'])
    assert.equal((await browser.get(path)).status, 404, path)
  const { browser: friend, person } = await signedIn(t, 'friend', { server })
  await person.follow(alice)
  await waitForEventLog(alice)
  assert.equal((await friend.get(`/statuses/${hidden.id}`)).location, `${profile}/${hidden.id}`)
})

test('the former addresses of the client never lead to another site', async t => {
  const { server } = await people(t)
  const connection = await RawConnection.open(server.url)
  t.after(() => connection.close())
  for (const path of ['/web//far.example', '/web/\\far.example', '/web/\\/far.example', '/web///far.example']) {
    const { status, headers } = await connection.request(`GET ${path} HTTP/1.1`, ['Host: here.example'])
    assert.deepEqual([status, headers.get('location')], [404, undefined], path)
  }
})
