import assert from 'node:assert/strict'
import { test } from 'tap'
import { Browser } from '../../support/browser.ts'
import { people, sql, waitForEventLog } from '../../support/people.ts'
import { startServer } from '../../support/server.ts'
import { listen, type LiveReader } from './live_reader.ts'
import { changeSetting, statusesOn } from './page_fixtures.ts'

test('public posts of this server reach the page as they happen, with their changes and deletions', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const reader = await listen(t, server, '/live?lang=en')
  const other = await bob.postStatus('first & <b>')
  await alice.postStatus('to bob', { in_reply_to_id: other.id })
  await alice.postStatus('private', { visibility: 'private' })
  await alice.postStatus('unlisted', { visibility: 'unlisted' })
  await alice.post(`/api/v1/statuses/${other.id}/reblog`)
  const last = await alice.postStatus('last')
  const messages = [await reader.next(), await reader.next()]
  assert.deepEqual(
    messages.map(message => [message?.event, message?.id]),
    [
      ['created', other.id],
      ['created', last.id],
    ],
  )
  assert.match(messages[0]?.data ?? '', new RegExp(`^<div data-status="${other.id}">[\\s\\S]*first &amp; &lt;b&gt;`))
  await alice.put(`/api/v1/statuses/${last.id}`, { status: 'changed' })
  const updated = await reader.next()
  assert.deepEqual([updated?.event, updated?.id], ['updated', last.id])
  assert.match(updated?.data ?? '', /changed/)
  await alice.delete(`/api/v1/statuses/${last.id}`)
  assert.deepEqual(await reader.next(), { event: 'deleted', id: undefined, data: last.id })
})

test('a page that connects again gets the posts that it has missed', async t => {
  const { alice, server } = await people(t, 'alice')
  const seen = await alice.postStatus('seen')
  const missed = [await alice.postStatus('one'), await alice.postStatus('two')]
  for (const reader of [
    await listen(t, server, '/live', { 'last-event-id': seen.id }),
    await listen(t, server, `/live?lang=de&after=${seen.id}`),
  ])
    assert.deepEqual(
      [(await reader.next())?.id, (await reader.next())?.id],
      missed.map(({ id }) => id),
    )
  await waitForEventLog(alice)
  const unknown = await listen(t, server, '/live', { 'last-event-id': 'x' })
  const next = await alice.postStatus('three')
  assert.equal((await unknown.next())?.id, next.id)
})

test('streams end when the posts are no longer public, and are refused from then on', async t => {
  const server = await startServer(t)
  const reader = await listen(t, server, '/live')
  const isClosed = async (): Promise<boolean> => (await fetch(`${server.url}/live`)).status === 422
  await changeSetting(server, 'local_live_feed_access', 'authenticated', async () => {
    const response = await fetch(`${server.url}/live`)
    if (response.status === 200) await response.body?.cancel()
    return response.status === 422
  })
  assert.equal(await reader.next(), undefined)
  assert.equal(await isClosed(), true)
  assert.match((await new Browser(server).get('/public/local')).text, /These posts are for people who have signed in/)
})

test('the start page, which search engines find, is not extended by people who opted out', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  await sql(
    server,
    `with changed as (update users set preferences = preferences || '{"noindex": true}' where account_id = $1 returning account_id)
     insert into events (kind, account_id, data) select 'account.changed', account_id, '{"change": "profile"}' from changed`,
    [alice.id],
  )
  const first = await bob.postStatus('first')
  await waitForEventLog(bob)
  const [page, all] = await Promise.all([
    listen(t, server, `/live?for_search=true&after=${first.id}`),
    listen(t, server, `/live?after=${first.id}`),
  ])
  const left = await alice.postStatus('not for search engines')
  const next = await bob.postStatus('second')
  /** The first message about these two posts. */
  const nextOf = async (reader: LiveReader): Promise<string | undefined> => {
    for (;;) {
      const message = await reader.next()
      if (message === undefined || message.id === left.id || message.id === next.id) return message?.id
    }
  }
  assert.equal(await nextOf(all), left.id)
  assert.equal(await nextOf(page), next.id)
  await waitForEventLog(bob)
  assert.equal(await nextOf(await listen(t, server, `/live?for_search=true&after=${first.id}`)), next.id)
  assert.match((await new Browser(server).get('/')).text, /for_search=true"\s+data-after="\d+"/)
})

test('one address cannot hold any number of streams', async t => {
  const server = await startServer(t, { oneProcess: 'the streams are counted by process' })
  const readers: LiveReader[] = []
  for (let count = 0; count < 20; count += 1) readers.push(await listen(t, server, '/live'))
  assert.equal((await fetch(`${server.url}/live`)).status, 429)
})

test('the landing page describes the server and shows its latest posts', async t => {
  const { alice, server } = await people(t, 'alice')
  const browser = new Browser(server)
  const { id } = await alice.postStatus('on the landing page')
  await sql(server, `insert into rules (text) values ('Be kind')`)
  const page = await browser.get('/')
  assert.deepEqual(statusesOn(page).slice(0, 1), [id])
  assert.match(page.text, new RegExp(`data-live="/live\\?lang=en(?:&amp;|&)for_search=true"\\s+data-after="${id}"`))
  assert.match(page.text, /<script type="module" src="\/assets\/live\.js">/)
  assert.match(page.headers.get('content-security-policy') ?? '', /script-src 'self'; connect-src 'self'/)
  assert.match(page.text, /active in the last four weeks/)
  assert.match(page.text, /ground rule[\s\S]*Be kind/)
  assert.equal(page.headers.get('set-cookie'), null)
  assert.equal((await browser.get('/assets/live.js')).status, 200)
})

test('the local timeline is a page, with older posts behind it', async t => {
  const { alice, server } = await people(t, 'alice')
  const ids: string[] = []
  for (let count = 0; count < 22; count += 1) ids.unshift((await alice.postStatus(`post ${count}`)).id)
  const browser = new Browser(server)
  const first = await browser.get('/public/local')
  assert.deepEqual(statusesOn(first), ids.slice(0, 20))
  const next = /<a rel="next" href="([^"]+)"/.exec(first.text)?.[1] ?? ''
  assert.deepEqual(statusesOn(await browser.get(next)).slice(0, 2), ids.slice(20))
})
