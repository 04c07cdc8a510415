import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test, type Test } from 'tap'
import { becomes } from '../../platform/settings/pair.ts'
import { Client, linkOf } from '../../support/client.ts'
import { makeToken, person, sql } from '../../support/people.ts'
import type { ServerAddress } from '../../support/server.ts'
import {
  auditLog,
  checkCallers,
  checkPages,
  entitiesOf,
  entityOf,
  refuses,
  staff,
  withPermissions,
} from '../admin_api.ts'

const PATH = '/api/v1/admin/trends'

/** A hashtag, a link and a status that rise and that nobody has decided on; their ids. */
async function rise(
  server: ServerAddress,
  status: string,
  name: string,
  score: number,
): Promise<Record<string, string>> {
  const [made] = await sql(
    server,
    `with tag as (
       select id from tags where name = $2
     ), tag_score as (
       insert into tag_trends (tag_id, peak, peaked_at, score, language) select id, $3, now(), $3, 'en' from tag
     ), status_score as (
       insert into status_trends (status_id, score) values ($1, $3)
     ), publisher as (
       insert into link_publishers (domain) values ($2 || '.example') returning id
     ), card as (
       insert into preview_cards (url, type, title, description, language, provider_name)
       values ('https://' || $2 || '.example/', 'link', 'Night', 'How tapirs see', 'en', 'Example') returning id
     ), day as (
       insert into link_days (preview_card_id, day, uses, accounts)
       select id, (now() at time zone 'UTC')::date, 7, 6 from card
     ), link_score as (
       insert into link_trends (preview_card_id, peak, peaked_at, score) select id, $3, now(), $3 from card
     )
     select tag.id::text as tag, card.id::text as link, publisher.id::text as publisher from tag, card, publisher`,
    [status, name, score],
  )
  return made as Record<string, string>
}

async function setUp(t: Test) {
  const everyone = await staff(t)
  const { server } = everyone
  const author = await person(server, 'author', { account: { discoverable: true } })
  t.after(() => author.close())
  await sql(server, 'delete from tag_trends')
  await sql(server, 'delete from link_trends')
  await sql(server, 'delete from status_trends')
  const name = `rise${randomBytes(4).toString('hex')}`
  const { id: status } = await author.postStatus(`it goes up #${name}`, { language: 'en' })
  const ids = await rise(server, status, name, 9)
  return { ...everyone, author, name, status, tag: ids['tag'], link: ids['link'], publisher: ids['publisher'] }
}

test('reviewers of trends see all candidates; everybody else sees the public lists', async t => {
  const { server, admin, author, anonymous, name, status, tag, link } = await setUp(t)
  const [tags, links, statuses] = [
    entitiesOf(await admin.get(`${PATH}/tags`)),
    entitiesOf(await admin.get(`${PATH}/links`)),
    entitiesOf(await admin.get(`${PATH}/statuses`)),
  ]
  assert.deepEqual(
    tags.map(one => [one.id, one['name'], one['trendable'], one['requires_review']]),
    [[tag, name, false, true]],
  )
  const [card = {}] = links as Record<string, unknown>[]
  assert.deepEqual(
    [card['id'], card['title'], card['type'], card['requires_review']],
    [Number(link), 'Night', 'link', true],
  )
  assert.ok(Number.isSafeInteger(card['id']))
  const [today] = card['history'] as Record<string, string>[]
  assert.deepEqual([today?.['accounts'], today?.['uses']], ['6', '7'])
  assert.deepEqual(
    statuses.map(one => [one.id, one['requires_review']]),
    [[status, true]],
  )
  const application = new Client(server, await makeToken(server, null))
  const others = [anonymous, author, application]
  for (const kind of ['tags', 'links', 'statuses']) {
    for (const client of others) {
      const response = await client.get(`${PATH}/${kind}`)
      assert.deepEqual([response.status, response.text], [200, '[]'])
    }
    const unscoped = new Client(server, await makeToken(server, admin.userId, ['read']))
    refuses(await unscoped.get(`${PATH}/${kind}`), 403, 'This action is outside the authorized scopes')
    refuses(await new Client(server, 'unknown').get(`${PATH}/${kind}`), 401, 'The access token is invalid')
  }
  for (const [place, id] of [
    ['tags', tag],
    ['links', link],
    ['statuses', status],
  ] as const)
    entityOf(await admin.post(`${PATH}/${place}/${id}/approve`))
  for (const kind of ['tags', 'links', 'statuses']) {
    const shown = await anonymous.get(`/api/v1/trends/${kind}`)
    const fallback = await anonymous.get(`${PATH}/${kind}`)
    assert.equal(entitiesOf(fallback).length, 1, kind)
    assert.deepEqual(fallback.json, shown.json)
    assert.ok(!('requires_review' in (entitiesOf(fallback)[0] ?? {})))
  }
})

test('approval and rejection respond with the entity, without an entry in the audit log', async t => {
  const { server, admin, anonymous, status, tag, link, publisher } = await setUp(t)
  for (const [decision, trendable] of [
    ['approve', true],
    ['approve', true],
    ['reject', false],
    ['reject', false],
  ] as const) {
    const decided = entityOf(await admin.post(`${PATH}/tags/${tag}/${decision}`))
    assert.deepEqual([decided.id, decided['trendable'], decided['requires_review']], [tag, trendable, false])
    const card = entityOf(await admin.post(`${PATH}/links/${link}/${decision}`))
    assert.deepEqual([card.id, card['type'], card['requires_review']], [Number(link), 'link', false])
    assert.match(String(card['url']), /^https:\/\/rise/)
    assert.deepEqual([card['title'], card['description']], ['Night', 'How tapirs see'])
    const post = entityOf(await admin.post(`${PATH}/statuses/${status}/${decision}`))
    assert.deepEqual([post.id, post['requires_review']], [status, false])
    for (const kind of ['tags', 'links', 'statuses'])
      assert.equal(entitiesOf(await anonymous.get(`/api/v1/trends/${kind}`)).length, trendable ? 1 : 0, kind)
    // Rejected items stay in the lists of those who review.
    for (const kind of ['tags', 'links', 'statuses'])
      assert.equal(entitiesOf(await admin.get(`${PATH}/${kind}`)).length, 1, kind)
  }
  const before = Date.now()
  const { reviewed_at: at, ...host } = entityOf(await admin.post(`${PATH}/links/publishers/${publisher}/approve`))
  assert.ok(Date.parse(String(at)) >= before - 60_000)
  assert.deepEqual(
    { ...host, domain: '' },
    { id: Number(publisher), domain: '', trendable: true, requested_review_at: null, requires_review: false },
  )
  // A decision about the link itself precedes.
  assert.deepEqual(entitiesOf(await anonymous.get('/api/v1/trends/links')), [])
  await sql(server, 'update preview_cards set trendable = null where id = $1', [link])
  entityOf(await admin.post(`${PATH}/links/publishers/${publisher}/approve`))
  assert.equal(entitiesOf(await anonymous.get('/api/v1/trends/links')).length, 1)
  assert.equal(entitiesOf(await admin.get(`${PATH}/links`))[0]?.['requires_review'], false)
  for (const _ of [1, 2]) {
    const rejected = entityOf(await admin.post(`${PATH}/links/publishers/${publisher}/reject`))
    assert.deepEqual([rejected['trendable'], rejected['requires_review']], [false, false])
    assert.ok(Date.parse(String(rejected['reviewed_at'])) >= before - 60_000)
    assert.deepEqual(entitiesOf(await anonymous.get('/api/v1/trends/links')), [])
  }
  // By the contract the audit log has no entry of what the API decides about trends.
  for (const type of ['Tag', 'Status', 'PreviewCard', 'LinkPublisher'])
    assert.deepEqual(await auditLog(server, type), [], type)
})

test('a status that is not public cannot trend', async t => {
  const { admin, author } = await setUp(t)
  for (const visibility of ['private', 'direct']) {
    const { id } = await author.postStatus('hidden', { visibility })
    refuses(await admin.post(`${PATH}/statuses/${id}/approve`), 404, 'Record not found')
  }
})

test('while trends are off, only those who review them see any', async t => {
  const { server, admin, anonymous, tag, link, status } = await setUp(t)
  for (const [kind, id] of Object.entries({ tags: tag, links: link, statuses: status }))
    entityOf(await admin.post(`${PATH}/${kind}/${id}/approve`))
  // The languages of those who review hide nothing.
  await sql(
    server,
    `with changed as (update users set chosen_languages = '{fi}' where id = $1 returning account_id)
     insert into events (kind, account_id, data) select 'user.changed', account_id, '{"change": "preferences"}' from changed`,
    [admin.userId],
  )
  const set = async (value: string): Promise<void> => {
    await sql(
      server,
      `with s as (
         insert into settings (key, value) values ('trends', $1::jsonb)
         on conflict (key) do update set value = excluded.value returning key
       )
       insert into events (kind, data) select 'settings.changed', jsonb_build_object('keys', jsonb_build_array(s.key)) from s`,
      [value],
    )
  }
  const counts = async (client: Client): Promise<string> => {
    const lists = ['tags', 'links', 'statuses'].map(kind => client.get(`${PATH}/${kind}`))
    return (await Promise.all(lists)).map(list => entitiesOf(list).length).join(' ')
  }
  assert.equal(await counts(anonymous), '1 1 1')
  await set('false')
  await becomes(() => counts(anonymous), '0 0 0', 'no public trends')
  assert.equal(await counts(admin), '1 1 1')
  await set('true')
  await becomes(() => counts(anonymous), '1 1 1', 'public trends')
})

test('lists are paged by offset and limit', async t => {
  const { server, admin, author } = await setUp(t)
  const name = `rise${randomBytes(4).toString('hex')}`
  const { id } = await author.postStatus(`second #${name}`)
  await rise(server, id, name, 8)
  for (const kind of ['tags', 'links', 'statuses']) {
    const first = await admin.get(`${PATH}/${kind}`, { limit: '1' })
    assert.equal(entitiesOf(first).length, 1)
    assert.equal(linkOf(first, 'next'), `${PATH}/${kind}?limit=1&offset=1`)
    const second = await admin.get(`${PATH}/${kind}`, { limit: '1', offset: '1' })
    assert.equal(entitiesOf(second).length, 1)
    assert.notEqual(entitiesOf(second)[0]?.id, entitiesOf(first)[0]?.id)
    assert.equal(linkOf(second, 'prev'), `${PATH}/${kind}?limit=1&offset=0`)
    assert.equal(entitiesOf(await admin.get(`${PATH}/${kind}`, { limit: '999' })).length, 2)
    assert.equal(entitiesOf(await admin.get(`${PATH}/${kind}`, { offset: '-1' })).length, 2)
  }
})

test('only roles that manage taxonomies may decide, and see the publishers', async t => {
  const everyone = await setUp(t)
  const { server, admin, status, tag, link, publisher } = everyone
  const outsider = await withPermissions(server, 'reports', 0x10)
  t.after(() => outsider.close())
  const calls = [
    ['tags', tag],
    ['links', link],
    ['statuses', status],
    ['links/publishers', publisher],
  ].flatMap(([place, id]) =>
    ['approve', 'reject'].map(decision => ({ method: 'POST', path: `${PATH}/${place}/${id}/${decision}` })),
  )
  await checkCallers(everyone, '', [{ method: 'GET', path: `${PATH}/links/publishers` }, ...calls], outsider)
  await sql(server, `insert into link_publishers (domain) values ('p1.example'), ('p2.example'), ('p3.example')`)
  await checkPages(admin, `${PATH}/links/publishers`)
})
