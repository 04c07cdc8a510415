import assert from 'node:assert/strict'
import { test } from 'tap'
import { person, sql, waitForEventLog } from '../../support/people.ts'
import { Client } from '../../support/client.ts'
import { sharedServer, startServer } from '../../support/server.ts'
import { assertCsrf, assertOnlyStaff, readText, staffMember } from '../staff_fixtures.ts'

const LISTS = ['tags', 'links', 'publishers', 'statuses'].map(kind => `/admin/trends/${kind}`)

test('reviewing trends needs the permission to manage taxonomies', async t => {
  const server = await sharedServer()
  await assertOnlyStaff(t, server, LISTS)
  const { browser } = await staffMember(t, server, 'moderator')
  for (const path of LISTS) {
    assert.equal((await browser.get(`${path}?state=nonsense&page=9999999`)).status, 422, path)
    assert.match(readText(await browser.get(`${path}?state=nonsense&page=7`)), /There is nothing to review/)
    await assertCsrf(browser, `${path}/batch`, { change: 'approve' })
  }
})

test('approved hashtags trend, rejected ones do not', async t => {
  const server = await sharedServer()
  const { browser } = await staffMember(t, server, 'moderator')
  const alice = await person(server, 'alice')
  t.after(() => alice.close())
  await alice.postStatus('#Kiwi #Plum')
  const rows = await sql(
    server,
    `insert into tag_trends (tag_id, peak, peaked_at, score) select id, 9, now(), 9 from tags where name in ('kiwi', 'plum')
     returning tag_id::text as id, (select name from tags where tags.id = tag_id) as name`,
  )
  const idOf = (name: string): string => String(rows.find(row => row['name'] === name)?.['id'])
  const trending = async (): Promise<string[]> => {
    const { json } = await new Client(server, 'unknown').get('/api/v1/trends/tags')
    return (json as { name: string }[]).map(({ name }) => name)
  }
  assert.deepEqual(await trending(), [])

  const pending = await browser.get('/admin/trends/tags?state=pending')
  assert.match(readText(pending), /#Kiwi Undecided/)
  const approved = await browser.submit(pending, '/admin/trends/tags/batch', {
    change: 'approve',
    'ids[]': [idOf('kiwi'), '999999'],
  })
  assert.equal(approved.location, '/admin/trends/tags?state=pending&page=0')
  const left = readText(await browser.get(approved.location))
  assert.ok(left.includes('1 entry was changed.') && !left.includes('#Kiwi') && left.includes('#Plum'), left)
  await browser.submit(pending, '/admin/trends/tags/batch', { change: 'reject', 'ids[]': idOf('plum') })
  assert.match(readText(await browser.get('/admin/trends/tags?state=rejected')), /#Plum Rejected/)
  assert.deepEqual(await trending(), ['Kiwi'])
  assert.equal((await browser.submit(pending, '/admin/trends/tags/batch', { change: 'explode' })).status, 422)
})

test('trends are computed when a reviewer asks for it', async t => {
  const server = await sharedServer()
  const { browser } = await staffMember(t, server, 'moderator')
  await assertCsrf(browser, '/admin/trends/refresh', {})
  for (let number = 0; number < 5; number += 1) {
    const one = await person(server, 'one')
    await one.postStatus('#Nectarine')
    await one.close()
  }
  const page = await browser.get('/admin/trends/links')
  assert.ok(!readText(await browser.get('/admin/trends/tags')).includes('#Nectarine'))
  const done = await browser.submit(page, '/admin/trends/refresh')
  assert.match(readText(await browser.get(done.location)), /The trends were computed.*#Nectarine/)
})

test('statuses follow the decision about their author', async t => {
  const server = await sharedServer()
  const { browser } = await staffMember(t, server, 'moderator')
  const bob = await person(server, 'bob', { account: { discoverable: true } })
  t.after(() => bob.close())
  const { id } = await bob.postStatus('I am <popular>', { language: 'en' })
  await sql(server, 'insert into status_trends (status_id, score) values ($1, 5)', [id])
  await waitForEventLog(bob)
  const page = await browser.get('/admin/trends/statuses')
  assert.match(readText(page), /Undecided .*I am <popular>/)
  await browser.submit(page, '/admin/trends/statuses/batch', { change: 'approve_parent', 'ids[]': id })
  assert.match(readText(await browser.get('/admin/trends/statuses?state=approved')), /I am <popular>/)
  const { json } = await new Client(server, 'unknown').get('/api/v1/trends/statuses')
  assert.deepEqual(
    (json as { id: string }[]).map(one => one.id),
    [id],
  )
})

test('links follow the decision about their publisher', async t => {
  const server = await sharedServer()
  const { browser } = await staffMember(t, server, 'moderator')
  await sql(
    server,
    `with card as (
       insert into preview_cards (url, title, type, provider_name) values ('https://news.example/1', 'A <story>', 'link', 'News')
       returning id
     ), trend as (insert into link_trends (preview_card_id, peak, peaked_at, score) select id, 5, now(), 5 from card)
     insert into link_publishers (domain, requested_review_at) values ('news.example', now())`,
  )
  const page = await browser.get('/admin/trends/links')
  assert.match(readText(page), /A <story> Undecided/)
  const id = /name="ids\[\]" value="(\d+)"/.exec(page.text)?.[1] ?? ''
  await browser.submit(page, '/admin/trends/links/batch', { change: 'reject_parent', 'ids[]': id })
  assert.match(readText(await browser.get('/admin/trends/links?state=rejected')), /A <story> Rejected/)
  assert.match(readText(await browser.get('/admin/trends/publishers?domain=NEWS')), /news\.example Rejected/)
  assert.ok(!readText(await browser.get('/admin/trends/publishers?domain=other')).includes('news.example'))
})

test('the pages of what is undecided list all requested reviews that the dashboard counts', async t => {
  const server = await startServer(t)
  const { browser } = await staffMember(t, server, 'moderator')
  const [bob, carol, dave] = [await person(server, 'bob'), await person(server, 'carol'), await person(server, 'dave')]
  const bobs = [await bob.postStatus('first'), await bob.postStatus('second')]
  const approved = await carol.postStatus('approved')
  await dave.postStatus('no longer trends')
  await sql(server, 'update accounts set requested_review_at = now() where id = any ($1)', [
    [bob.id, carol.id, dave.id],
  ])
  await sql(server, 'update statuses set trendable = true where id = $1', [approved.id])
  await sql(server, 'insert into status_trends (status_id, score) select id, 5 from unnest($1::bigint[]) id', [
    [...bobs, approved].map(({ id }) => id),
  ])
  await sql(
    server,
    `with made as (
       insert into tags (name, display_name, requested_review_at, reviewed_at)
       values ('asked', 'Asked', now(), null), ('gone', 'Gone', now(), null), ('new', 'New', null, null),
         ('reviewed', 'Reviewed', now(), now())
       returning id, name
     )
     insert into tag_trends (tag_id, peak, peaked_at, score) select id, 9, now(), 9 from made where name in ('asked', 'new')`,
  )
  /** What the dashboard counts, and what the pages list as requested. */
  const requested = async () => {
    const dashboard = readText(await browser.get('/admin/dashboard'))
    const count = (label: string): number => Number(new RegExp(`(\\d+) ${label} to review`).exec(dashboard)?.[1])
    const tags = readText(await browser.get('/admin/trends/tags?state=pending'))
    const statuses = (await browser.get('/admin/trends/statuses?state=pending')).text.split('batch-item').slice(1)
    const authors = statuses.flatMap(one => (one.includes('Review requested') ? /@\w+/.exec(one) : null) ?? [])
    return {
      tags: [...tags.matchAll(/#(\w+) Undecided Review requested/g)].map(([, name]) => name),
      authors: [...new Set(authors)],
      counted: [count('Hashtags'), count('Authors')],
    }
  }
  const handle = `@${bob.username}`
  assert.deepEqual(await requested(), { tags: ['Asked', 'Gone'], authors: [handle], counted: [2, 1] })
  assert.ok(!readText(await browser.get('/admin/trends/tags')).includes('#Gone'), 'all: only what trends')
  await sql(server, 'delete from tag_trends')
  await sql(server, 'delete from status_trends')
  assert.deepEqual(await requested(), { tags: ['Asked', 'Gone'], authors: [], counted: [2, 0] })
  const pending = await browser.get('/admin/trends/tags?state=pending')
  const ids = [...pending.text.matchAll(/name="ids\[\]" value="(\d+)"/g)].map(([, id]) => id ?? '')
  await browser.submit(pending, '/admin/trends/tags/batch', { change: 'reject', 'ids[]': ids })
  assert.deepEqual(await requested(), { tags: [], authors: [], counted: [0, 0] })
})
