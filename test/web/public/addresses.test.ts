import assert from 'node:assert/strict'
import { test } from 'tap'
import { Browser } from '../../support/browser.ts'
import { Client } from '../../support/client.ts'
import { PASSWORD, personWithPassword } from '../../support/oauth.ts'
import type { PersonOptions } from '../../support/person.ts'
import { people, person, sql, waitForEventLog } from '../../support/people.ts'
import { metaOf } from './page_fixtures.ts'

/* The addresses of profiles and statuses in every state of their author, in every format. */

const HTML = 'text/html'
const JSON_LD = 'application/activity+json'
const RSS = 'application/rss+xml'

test('the state of an account decides about its page, document and feed', async t => {
  const { alice, server } = await people(t, 'alice')
  const state = async (name: string, account: object, user: object = {}): Promise<string> =>
    (await person(server, name, { account: { ...account }, user: { ...user } })).username
  const asked = { deletion_requested_at: new Date() }
  const names = {
    unknown: 'nobody_here',
    unapproved: await state('unapproved', {}, { approved: false }),
    unconfirmed: await state('unconfirmed', {}, { confirmed_at: null }),
    suspended: await state('suspended', { suspended_at: new Date() }),
    leaving: await state('leaving', asked),
    deleted: await state('deleted', { suspended_at: new Date() }),
  }
  await sql(server, 'delete from users where account_id = (select id from accounts where username = $1)', [
    names.deleted,
  ])
  await waitForEventLog(alice)
  const browser = new Browser(server)
  const found: Record<string, number[]> = {}
  for (const [what, name] of Object.entries(names)) {
    const answers = [HTML, JSON_LD, RSS].map(accept => browser.get(`/@${name}`, { accept }))
    found[what] = (await Promise.all(answers)).map(({ status }) => status)
  }
  assert.deepEqual(found, {
    unknown: [404, 404, 404],
    unapproved: [404, 404, 404],
    unconfirmed: [404, 404, 404],
    suspended: [403, 200, 403],
    leaving: [403, 403, 403],
    deleted: [410, 410, 410],
  })
  const minimal = (await new Client(server).get(`/@${names.suspended}`, {}, { accept: JSON_LD })).json
  const { suspended, summary } = minimal as { suspended: boolean; summary: string }
  assert.deepEqual([suspended, summary], [true, ''])
})

test('the state of its author decides about the page of a status', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const found: Record<string, number> = {}
  for (const [what, change] of Object.entries({
    suspended: 'update accounts set suspended_at = now() where id = $1',
    leaving: 'update accounts set deletion_requested_at = now() where id = $1',
    deleted:
      'with gone as (delete from users where account_id = $1) update accounts set suspended_at = now() where id = $1',
  })) {
    const author = await person(server, what)
    const { id } = await author.postStatus('hello')
    await sql(server, change, [author.id])
    await sql(
      server,
      `insert into events (kind, account_id, data) values ('account.changed', $1, '{"change": "suspended"}')`,
      [author.id],
    )
    await waitForEventLog(bob)
    found[what] = (await new Browser(server).get(`/@${author.username}/${id}`)).status
  }
  assert.deepEqual(found, { suspended: 403, leaving: 403, deleted: 410 })
  const viewer = await personWithPassword(server, 'viewer')
  const browser = new Browser(server)
  await browser.signIn(viewer.email, PASSWORD)
  const { id } = await alice.postStatus('hello')
  const direct = await alice.postStatus(`@${viewer.username} psst`, { visibility: 'direct' })
  assert.equal((await browser.get(`/@${alice.username}/${direct.id}`)).status, 200)
  assert.equal((await new Browser(server).get(`/@${alice.username}/${direct.id}`)).status, 404)
  assert.equal((await browser.get(`/@${alice.username}/${id}`)).status, 200)
  await alice.post(`/api/v1/accounts/${viewer.id}/block`)
  assert.equal((await browser.get(`/@${alice.username}/${id}`)).status, 404)
})

test('the head of a profile describes it to other sites', async t => {
  const { alice, server } = await people(t, 'alice')
  const page = await new Browser(server).get(`/@${alice.username}`)
  const meta = metaOf(page)
  assert.deepEqual(meta['og:url'], [`${server.url}/@${alice.username}`])
  assert.match(meta['og:image']?.[0] ?? '', /^http/)
  assert.match(page.text, new RegExp(`<title>[^<]*alice[^<]*${alice.username}`))
})

test('users in any state can sign in, and are led to the page that says what is wrong', async t => {
  const { bob, server } = await people(t, 'bob')
  for (const { isDeleted, ...options } of [
    { user: { approved: false } },
    { user: { disabled: true } },
    { account: { suspended_at: new Date() } },
    { account: { moved_to_account_id: bob.id } },
    { account: { suspended_at: new Date() }, isDeleted: true },
  ] as readonly (PersonOptions & { isDeleted?: true })[]) {
    const alice = await personWithPassword(server, 'alice', options)
    const browser = new Browser(server)
    const { status } = await browser.signIn(alice.email, PASSWORD)
    assert.equal(status, 303)
    assert.equal((await browser.get('/settings/profile')).location, '/auth/edit', JSON.stringify(options))
    const edit = await browser.get('/auth/edit')
    assert.equal(edit.status, 200)
    if (isDeleted) await sql(server, 'update accounts set deletion_requested_at = now() where id = $1', [alice.id])
    const out = await browser.submit(edit, '/auth/sign_out', {}, 'delete')
    assert.deepEqual([out.status, out.location], [303, '/auth/sign_in'])
  }
})

test('unknown emojis and files are not found', async t => {
  const { server } = await people(t)
  const client = new Client(server)
  for (const path of [
    '/emojis/1',
    '/emojis/x',
    '/media/1',
    '/media/1/player',
    '/media_proxy/1',
    '/media_proxy/1/small',
  ])
    assert.equal((await client.get(path)).status, 404, path)
})
