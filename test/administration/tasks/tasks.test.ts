import assert from 'node:assert/strict'
import { test } from 'tap'
import { makeKey } from '../../../src/platform/storage/index.ts'
import { becomes } from '../../platform/settings/pair.ts'
import { connect, waitForLocks } from '../../support/other_transaction.ts'
import { person, sql } from '../../support/people.ts'
import { sharedServer, startServer } from '../../support/server.ts'
import { assertCsrf, assertOnlyStaff, loggedActions, readText, staffMember } from '../staff_fixtures.ts'

const TASKS = '/admin/tasks'
const UNFINISHED = `select kind from staff_tasks where finished_at is null`

test('background tasks need the permission to manage the server or federation', async t => {
  const server = await sharedServer()
  await assertOnlyStaff(t, server, [TASKS, '/admin/instances/purge?domain=far.example'])
  const { browser } = await staffMember(t, server, 'admin')
  await assertCsrf(browser, `${TASKS}/media`, { days: '1', sure: '1' })
  const page = await browser.get(TASKS)
  for (const days of ['', 'abc', '-1', '1.5', '36501']) {
    const response = await browser.submit(page, `${TASKS}/media`, { days, sure: '1' })
    assert.match(readText(await browser.get(response.location)), /whole number from 0 to 36500/, days)
  }
  const unsure = await browser.submit(page, `${TASKS}/statuses`, { days: '3' })
  assert.match(readText(await browser.get(unsure.location)), /confirm that you are sure/)
  assert.deepEqual(await sql(server, 'select id from staff_tasks where days is not null'), [])
})

test('all local accounts follow an account, and unfollow it', async t => {
  const server = await startServer(t)
  const { person: admin, browser } = await staffMember(t, server, 'admin')
  const [alice, bob] = [await person(server, 'alice'), await person(server, 'bob')]
  t.after(() => Promise.all([alice.close(), bob.close()]))
  const path = `/admin/accounts/${alice.id}`
  const send = async (action: string, sure: string) => {
    const response = await browser.submit(await browser.get(path), `${path}/${action}`, { sure })
    return readText(await browser.get(response.location))
  }
  assert.match(await send('follow_all', ''), /confirm that you are sure/)
  assert.match(await send('follow_all', '1'), /It has begun.*Everybody follows @alice/)
  await becomes(() => sql(server, UNFINISHED), [], 'the follows')
  assert.match(readText(await browser.get(TASKS)), /Everybody follows @alice\S* Finished 2 done/)
  const followers = `select count(*)::int as number from follows where target_account_id = $1`
  assert.deepEqual(await sql(server, followers, [alice.id]), [{ number: 2 }])
  await send('unfollow_all', '1')
  await becomes(() => sql(server, UNFINISHED), [], 'the end of the follows')
  assert.deepEqual(await sql(server, followers, [alice.id]), [{ number: 0 }])
  assert.deepEqual(
    (await loggedActions(server, admin)).map(entry => entry.split(' ')[0]),
    ['follow_all', 'unfollow_all'],
  )
  const far = await sql(
    server,
    `insert into accounts (username, domain) values ('eve', 'far.example') returning id::text`,
  )
  const remote = `/admin/accounts/${String(far[0]?.['id'])}/follow_all`
  const token = (await browser.get(path)).forms[0]?.fields['authenticity_token'] ?? ''
  assert.equal((await browser.post(remote, { authenticity_token: token, sure: '1' })).status, 403)
})

test('who is followed by everybody is notified of each follow, and gets no e-mails about them', async t => {
  const server = await startServer(t)
  const { browser } = await staffMember(t, server, 'admin')
  const alice = await person(server, 'alice', { user: { mail_types: ['follow'], mail_always: true } })
  const bob = await person(server, 'bob')
  t.after(() => Promise.all([alice.close(), bob.close()]))
  const path = `/admin/accounts/${alice.id}`
  const waiting = async () => (await sql(server, 'select from waiting_emails')).length
  const notified = async () => ((await alice.get('/api/v1/notifications')).json as { type: string }[]).map(n => n.type)
  await browser.submit(await browser.get(path), `${path}/follow_all`, { sure: '1' })
  await becomes(() => sql(server, UNFINISHED), [], 'the follows')
  assert.deepEqual([await notified(), await waiting()], [['follow', 'follow'], 0])
  await bob.post(`/api/v1/accounts/${alice.id}/unfollow`)
  await bob.post(`/api/v1/accounts/${alice.id}/follow`)
  assert.equal(await waiting(), 1)
})

test('a page says what is lost before a domain is purged', async t => {
  const server = await startServer(t)
  const { person: admin, browser } = await staffMember(t, server, 'admin')
  await sql(
    server,
    `with made as (
       insert into accounts (username, domain)
       values ('eve', 'far.example'), ('mallory', 'sub.far.example'), ('trent', 'near.example') returning id, username
     ), counted as (
       insert into account_stats (account_id, statuses_count) select id, 7 from made
     )
     insert into follows (account_id, target_account_id)
     select $1, id from made union all select id, $1 from made where username = 'eve'`,
    [admin.id],
  )
  const list = await browser.get('/admin/instances')
  assert.ok(list.text.includes('/admin/instances/purge?domain=far.example'))
  const page = await browser.get('/admin/instances/purge?domain=FAR.example')
  const text = readText(page)
  assert.match(text, /far\.example\? .*Accounts 1 Posts 7 Follows of them by members 1 Followers .* 1 Members .* 1/)
  const again = await browser.submit(page, '/admin/instances/purge', { sure: '' })
  assert.deepEqual([again.status, /confirm that you are sure/.test(readText(again))], [422, true])
  const done = await browser.submit(page, '/admin/instances/purge', { sure: '1', below: '1' })
  assert.match(readText(await browser.get(done.location)), /Delete everything of far\.example with subdomains/)
  await becomes(() => sql(server, UNFINISHED), [], 'the purge')
  assert.deepEqual(await sql(server, 'select domain from accounts where domain is not null'), [
    { domain: 'near.example' },
  ])
  assert.match(readText(await browser.get(TASKS)), /Finished 2 done/)
  assert.deepEqual(await loggedActions(server, admin), ['purge Domain far.example'])
  assert.match(readText(await browser.get('/admin/instances/purge?domain=unknown.example')), /nothing is lost now/)
  assert.equal((await browser.get('/admin/instances/purge?domain=no%20domain')).status, 422)
})

test('a purge that is started again with subdomains while it runs removes these, too', async t => {
  const server = await startServer(t)
  const { browser } = await staffMember(t, server, 'admin')
  const made = await sql(
    server,
    `insert into accounts (username, domain) values ('eve', 'far.example'), ('mallory', 'sub.far.example')
     returning id::text`,
  )
  const [first, below] = made.map(({ id }) => id)
  const lock = async (id: unknown) => {
    const other = await connect(t, server)
    await other.query('begin')
    await other.query('select from accounts where id = $1 for update', [id])
    return other
  }
  const [holdsFirst, holdsBelow] = [await lock(first), await lock(below)]
  const page = await browser.get('/admin/instances/purge?domain=far.example')
  await browser.submit(page, '/admin/instances/purge', { sure: '1' })
  await waitForLocks(server, 1)
  await browser.submit(page, '/admin/instances/purge', { sure: '1', below: '1' })
  await holdsFirst.query('rollback')
  const ids = () => sql(server, 'select id::text from accounts where domain is not null')
  await becomes(ids, [{ id: below }], 'the first account')
  await waitForLocks(server, 1)
  const [released] = (await holdsBelow.query<{ at: Date }>('select clock_timestamp() as at')).rows
  await holdsBelow.query('rollback')
  await becomes(() => sql(server, UNFINISHED), [], 'the purge')
  assert.deepEqual(await ids(), [])
  const early = 'select id from staff_tasks where finished_at < $1'
  assert.deepEqual(await sql(server, early, [released?.at]), [], 'finished before all was done')
  assert.match(readText(await browser.get(TASKS)), /with subdomains Finished 2 done/)
})

test('old media and statuses of other servers are removed once', async t => {
  const server = await startServer(t)
  const { person: admin, browser } = await staffMember(t, server, 'admin')
  await sql(
    server,
    `with eve as (
       insert into accounts (username, domain, uri) values ('eve', 'far.example', 'https://far.example/eve') returning id
     ), posted as (
       insert into statuses (account_id, local, uri, content, visibility, created_at)
       select eve.id, false, 'https://far.example/' || n, '', 'public', now() - n * interval '1 day' from eve, generate_series(1, 3) n
     )
     insert into media_attachments (account_id, type, file_key, remote_url, created_at)
     select eve.id, 'image', $1::text, 'https://far.example/' || n, now() - n * interval '1 day' from eve, generate_series(1, 3) n`,
    [makeKey('media', 'png')],
  )
  await sql(
    server,
    `insert into preview_cards (url, type, title, image_key, fetched_at)
     values ('https://page.example/', 'link', 'A page', $1, now() - interval '9 days')`,
    [makeKey('cards', 'png')],
  )
  const page = await browser.get(TASKS)
  await browser.submit(page, `${TASKS}/media`, { days: '2', sure: '1', previews: '1' })
  await browser.submit(page, `${TASKS}/statuses`, { days: '0', sure: '1', clean_followed: '1' })
  await becomes(() => sql(server, UNFINISHED), [], 'both removals')
  assert.match(
    readText(await browser.get(TASKS)),
    /older than 0 days .*Finished 3 done.*older than 2 days also of link previews Finished 3 done/,
  )
  assert.deepEqual(await sql(server, 'select id from statuses where not local'), [])
  const kept = await sql(server, 'select remote_url from media_attachments where file_key is not null')
  assert.deepEqual(kept, [{ remote_url: 'https://far.example/1' }])
  assert.deepEqual(await sql(server, 'select id from preview_cards where image_key is not null'), [])
  assert.deepEqual(await loggedActions(server, admin), ['purge Media 2 d', 'purge PreviewCard 2 d', 'purge Status 0 d'])
})

test('custom emojis are purged after a confirmation', async t => {
  const server = await startServer(t)
  const { person: admin, browser } = await staffMember(t, server, 'admin')
  const image = JSON.stringify({ key: makeKey('emojis', 'png'), static_key: makeKey('emojis', 'png') })
  await sql(
    server,
    `insert into custom_emojis (shortcode, domain, image)
     select 'e' || n, case when n > 1 then case when n > 3 then 'bad.example' else 'far.example' end end, $1::jsonb
     from generate_series(1, 6) n`,
    [image],
  )
  await sql(server, `insert into domain_blocks (domain, severity) values ('bad.example', 'suspend')`)
  const path = '/admin/custom_emojis/purge'
  const left = async () =>
    (await sql(server, 'select shortcode from custom_emojis order by id'))
      .map(row => String(row['shortcode']))
      .join(' ')
  const send = async (which: string, sure = '1') =>
    browser.submit(await browser.get(`${path}?which=${which}`), path, { sure })
  assert.match(
    readText(await browser.get(`${path}?which=all`)),
    /6 emojis of 3 servers would be deleted here: bad\.example 3 far\.example 2 \S+ 1 /,
  )
  assert.match(readText(await browser.get(`${path}?which=suspended`)), /3 emojis of 1 server .*bad\.example 3/)
  const unsure = await send('remote', '')
  assert.equal(unsure.status, 422)
  assert.match(readText(unsure), /confirm that you are sure/)
  const fields = (await browser.get(path)).forms.find(({ action }) => action === path)?.fields ?? {}
  assert.equal((await browser.post(path, { ...fields, which: 'everything', sure: '1' })).status, 422)
  assert.equal(await left(), 'e1 e2 e3 e4 e5 e6')
  for (const [which, rest, said] of [
    ['suspended', 'e1 e2 e3', /Delete the custom emojis of suspended servers Finished 3 done/],
    ['remote', 'e1', /Delete the custom emojis of other servers Finished 2 done/],
    ['all', '', /Delete all custom emojis Finished 1 done/],
  ] as const) {
    assert.equal((await send(which)).location, TASKS)
    await becomes(() => sql(server, UNFINISHED), [], which)
    assert.equal(await left(), rest)
    assert.match(readText(await browser.get(TASKS)), said)
  }
  assert.match(readText(await browser.get(path)), /There are none/)
  const logged = await loggedActions(server, admin)
  assert.deepEqual(
    [logged[0], logged.filter(entry => entry.startsWith('destroy CustomEmoji')).length],
    ['purge CustomEmoji ', 6],
  )
  const { browser: moderator } = await staffMember(t, server, 'moderator')
  assert.equal((await moderator.get(path)).status, 403)
})

test('relationships of a local account are removed', async t => {
  const server = await startServer(t)
  const { person: admin, browser } = await staffMember(t, server, 'admin')
  const [alice, bob] = [await person(server, 'alice'), await person(server, 'bob')]
  t.after(() => Promise.all([alice.close(), bob.close()]))
  await alice.follow(bob)
  await bob.follow(alice)
  const path = `/admin/accounts/${alice.id}`
  const send = async (fields: Record<string, string>) => {
    const response = await browser.submit(await browser.get(path), `${path}/reset_relationships`, fields)
    return readText(await browser.get(response.location))
  }
  assert.match(await send({ sure: '1' }), /choose which relationships end/)
  assert.match(await send({ followers: '1' }), /confirm that you are sure/)
  const follows = () => sql(server, 'select account_id::text as from from follows')
  assert.match(await send({ followers: '1', sure: '1' }), /relationships are being ended/)
  await becomes(follows, [{ from: alice.id }], 'the end of the followers')
  await send({ follows: '1', sure: '1' })
  await becomes(follows, [], 'the end of the follows')
  assert.deepEqual(
    (await loggedActions(server, admin)).map(entry => entry.split(' ')[0]),
    ['reset_relationships', 'reset_relationships'],
  )
})

test('a pending task is started only once', async t => {
  const server = await sharedServer()
  const { browser } = await staffMember(t, server, 'admin')
  await sql(server, `insert into staff_tasks (kind, domain) values ('purge_domain', 'twice.example')`)
  const page = await browser.get('/admin/instances/purge?domain=twice.example')
  await browser.submit(page, '/admin/instances/purge', { sure: '1' })
  await becomes(() => sql(server, `${UNFINISHED} and domain = 'twice.example'`), [], 'the purge')
  const rows = await sql(server, `select failed, total_count from staff_tasks where domain = 'twice.example'`)
  assert.deepEqual(rows, [{ failed: false, total_count: 0 }])
})
