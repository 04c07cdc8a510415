import assert from 'node:assert/strict'
import { test } from 'tap'
import { makeKey } from '../../../src/platform/storage/index.ts'
import { waitUntilProcessed } from '../../federation/receive/receive_fixtures.ts'
import { becomes } from '../../platform/settings/pair.ts'
import { localUri, startPeer } from '../../support/federation/peer.ts'
import { people, person, sql, type Person } from '../../support/people.ts'
import { startServer, type ServerAddress } from '../../support/server.ts'
import { loggedActions, readText, staffMember } from '../staff_fixtures.ts'

const TASKS = '/admin/tasks'
const UNFINISHED = `select kind from staff_tasks where finished_at is null`

/** Remote accounts that were fetched three days ago; returns the id of the first. */
async function addRemote(server: ServerAddress, domain: string, ...names: string[]): Promise<string> {
  const rows = await sql(
    server,
    `insert into accounts (username, domain, uri, fetched_at)
     select name, $1, 'https://' || $1 || '/' || name, now() - interval '30 days' from unnest($2::text[]) name returning id::text`,
    [domain, names],
  )
  return String(rows[0]?.['id'])
}

test('upkeep is permitted by its own permissions, and needs a confirmation', async t => {
  const server = await startServer(t)
  const { browser: moderator } = await staffMember(t, server, 'moderator')
  const { person: admin, browser } = await staffMember(t, server, 'admin')
  const member = await person(server, 'alice')
  t.after(() => member.close())
  const remote = await addRemote(server, 'far.example', 'eve')
  const token = (await moderator.get('/admin/accounts')).forms.find(({ fields }) => 'authenticity_token' in fields)
    ?.fields['authenticity_token']
  for (const name of ['pictures', 'previews', 'rotate'])
    assert.equal(
      (await moderator.post(`${TASKS}/${name}`, { authenticity_token: token ?? '', days: '1', sure: '1' })).status,
      403,
      name,
    )
  const path = `/admin/accounts/${member.id}/rotate_keys`
  assert.equal((await moderator.post(path, { authenticity_token: token ?? '', sure: '1' })).status, 403)
  assert.ok(!(await moderator.get(`/admin/accounts/${member.id}`)).text.includes('rotate_keys'))

  const page = await browser.get(TASKS)
  for (const name of ['pictures', 'previews', 'prune', 'cull', 'refresh', 'rotate']) {
    const response = await browser.submit(page, `${TASKS}/${name}`, {})
    assert.match(readText(await browser.get(response.location)), /confirm that you are sure/, name)
  }
  const unsure = await browser.submit(await browser.get(`/admin/accounts/${member.id}`), path, {})
  assert.match(readText(await browser.get(unsure.location)), /confirm that you are sure/)
  const own = page.forms[0]?.fields['authenticity_token'] ?? ''
  for (const wrong of [`/admin/accounts/${remote}/rotate_keys`, `/admin/accounts/${member.id}/refresh`])
    assert.equal((await browser.post(wrong, { authenticity_token: own, sure: '1' })).status, 403, wrong)
  assert.deepEqual(await sql(server, 'select kind from staff_tasks'), [])
  assert.deepEqual(await loggedActions(server, admin), [])
})

test('copies of profile pictures and of link previews are removed with their options', async t => {
  const server = await startServer(t)
  const { person: admin, browser } = await staffMember(t, server, 'admin')
  await addRemote(server, 'far.example', 'plain', 'followed')
  const image = (key: string) => JSON.stringify({ key, static_key: key, type: 'image/png' })
  await sql(
    server,
    `update accounts set avatar = $1::jsonb, header = $2::jsonb, avatar_remote_url = 'https://far.example/a.png',
       header_remote_url = 'https://far.example/h.png' where domain is not null`,
    [image(makeKey('avatars', 'png')), image(makeKey('headers', 'png'))],
  )
  await sql(
    server,
    `insert into follows (account_id, target_account_id) select $1, id from accounts where username = 'followed'`,
    [admin.id],
  )
  await sql(
    server,
    `insert into preview_cards (url, type, title, image_key, fetched_at)
     select 'https://page.example/' || type, type, 'A page', $1, now() - interval '9 days' from unnest(array['link', 'video']) type`,
    [makeKey('cards', 'png')],
  )
  const send = async (name: string, fields: Record<string, string>) => {
    await browser.submit(await browser.get(TASKS), `${TASKS}/${name}`, { days: '7', sure: '1', ...fields })
    await becomes(() => sql(server, UNFINISHED), [], name)
    return readText(await browser.get(TASKS))
  }
  const copies = async () =>
    (
      await sql(
        server,
        `select username || case when avatar ->> 'key' <> avatar_remote_url then ' avatar' else '' end
           || case when header ->> 'key' <> header_remote_url then ' header' else '' end as copies
         from accounts where domain is not null order by id`,
      )
    ).map(row => row['copies'])
  assert.match(await send('pictures', { headers_only: '1' }), /older than 7 days only headers Finished 1 done/)
  assert.deepEqual(await copies(), ['plain avatar', 'followed avatar header'])
  await send('pictures', {})
  assert.deepEqual(await copies(), ['plain', 'followed avatar header'])
  assert.match(await send('pictures', { include_follows: '1' }), /also of followed accounts Finished 1 done/)
  assert.deepEqual(await copies(), ['plain', 'followed'])

  const cards = () => sql(server, 'select type from preview_cards where image_key is not null order by id')
  assert.match(await send('previews', { links_only: '1' }), /older than 7 days only of links Finished 1 done/)
  assert.deepEqual(await cards(), [{ type: 'video' }])
  await send('previews', {})
  assert.deepEqual(await cards(), [])
  assert.deepEqual(await loggedActions(server, admin), [
    'purge Media 7 d',
    'purge Media 7 d',
    'purge Media 7 d',
    'purge PreviewCard 7 d',
    'purge PreviewCard 7 d',
  ])
})

test('files of statuses with interactions are kept when this is chosen', async t => {
  const server = await startServer(t)
  const { person: admin, browser } = await staffMember(t, server, 'admin')
  const eve = await addRemote(server, 'far.example', 'eve')
  await sql(
    server,
    `with posted as (
       insert into statuses (account_id, local, uri, content, visibility, created_at)
       select $1, false, 'https://far.example/' || n, n::text, 'public', now() - interval '9 days' from generate_series(1, 2) n
       returning id, content
     ), liked as (
       insert into bookmarks (account_id, status_id) select $2, id from posted where content = '2'
     )
     insert into media_attachments (account_id, status_id, type, file_key, remote_url, created_at)
     select $1, id, 'image', $3::text, 'https://far.example/' || content, now() - interval '9 days' from posted`,
    [eve, admin.id, makeKey('media', 'png')],
  )
  const kept = () => sql(server, 'select remote_url from media_attachments where file_key is not null')
  const fields = { days: '7', sure: '1', keep_interacted: '1' }
  await browser.submit(await browser.get(TASKS), `${TASKS}/media`, fields)
  await becomes(() => sql(server, UNFINISHED), [], 'the removal')
  assert.deepEqual(await kept(), [{ remote_url: 'https://far.example/2' }])
  assert.match(readText(await browser.get(TASKS)), /without posts with interactions Finished 1 done/)
})

test('accounts of other servers without relations are removed', async t => {
  const server = await startServer(t)
  const { person: admin, browser } = await staffMember(t, server, 'admin')
  await addRemote(server, 'far.example', 'stranger', 'other', 'followed')
  await sql(
    server,
    `insert into follows (account_id, target_account_id) select $1, id from accounts where username = 'followed'`,
    [admin.id],
  )
  await browser.submit(await browser.get(TASKS), `${TASKS}/prune`, { sure: '1' })
  await becomes(() => sql(server, UNFINISHED), [], 'the removal')
  assert.deepEqual(await sql(server, 'select username from accounts where domain is not null'), [
    { username: 'followed' },
  ])
  assert.match(readText(await browser.get(TASKS)), /without relations Finished 2 done/)
  assert.deepEqual(await loggedActions(server, admin), ['purge Account accounts prune'])
})

test('the keys of an account and of all accounts are replaced', async t => {
  const server = await startServer(t)
  const { person: admin, browser } = await staffMember(t, server, 'admin')
  const alice = await person(server, 'alice')
  t.after(() => alice.close())
  // Their documents show keys, which are made then.
  for (const { id } of [alice, admin])
    await fetch(localUri(server, id), { headers: { accept: 'application/activity+json' } })
  const keys = async (account: Person) =>
    (await sql(server, 'select public_key from signing_keys where account_id = $1', [account.id]))[0]?.['public_key']
  const [first, other] = [await keys(alice), await keys(admin)]
  assert.ok(first !== undefined && other !== undefined)
  const path = `/admin/accounts/${alice.id}`
  const done = await browser.submit(await browser.get(path), `${path}/rotate_keys`, { sure: '1' })
  assert.equal(done.location, TASKS)
  await becomes(() => sql(server, UNFINISHED), [], 'the new keys of one')
  const second = await keys(alice)
  assert.notEqual(second, first)
  assert.equal(await keys(admin), other)
  assert.match(readText(await browser.get(TASKS)), /Replace signing keys @alice\S* Finished 1 done/)
  await browser.submit(await browser.get(TASKS), `${TASKS}/rotate`, { sure: '1' })
  await becomes(() => sql(server, UNFINISHED), [], 'the new keys of all')
  assert.notEqual(await keys(alice), second)
  assert.notEqual(await keys(admin), other)
  const logged = await loggedActions(server, admin)
  assert.deepEqual(logged, [`rotate_keys Account ${alice.username}`, 'rotate_keys Account accounts rotate --all'])
})

test('a repeated run of a rotation leaves keys that it has replaced', async t => {
  const server = await startServer(t)
  const { person: admin } = await staffMember(t, server, 'admin')
  const alice = await person(server, 'alice')
  t.after(() => alice.close())
  for (const { id } of [alice, admin])
    await fetch(localUri(server, id), { headers: { accept: 'application/activity+json' } })
  await sql(server, `update signing_keys set created_at = now() - interval '1 hour' where account_id = $1`, [alice.id])
  const keys = async () =>
    (await sql(server, 'select public_key from signing_keys where account_id is not null order by account_id')).map(
      row => row['public_key'],
    )
  const before = await keys()
  await sql(
    server,
    `with task as (
       insert into staff_tasks (kind, total_count, done_count, created_at)
       values ('rotate_keys', 2, 1, now() - interval '30 minutes') returning id
     )
     select enqueue('staff_tasks.run_federation', json_build_object('task', id::text)) from task`,
  )
  await becomes(() => sql(server, UNFINISHED), [], 'the new keys')
  const after = await keys()
  assert.deepEqual(
    after.map((key, index) => key === before[index]),
    [true, false],
  )
  assert.deepEqual(await sql(server, 'select done_count, failed from staff_tasks'), [{ done_count: 2, failed: false }])
})

test('a process leaves tasks of kinds that it does not know to others', async t => {
  const server = await startServer(t)
  // As in a later release.
  await sql(
    server,
    'alter table staff_tasks drop constraint staff_tasks_kind_check, drop constraint staff_tasks_subject_check',
  )
  for (const job of ['staff_tasks.run', 'staff_tasks.run_federation'])
    await sql(
      server,
      `with task as (insert into staff_tasks (kind) values ($1 || ' of tomorrow') returning id)
       select enqueue($1, json_build_object('task', id::text)) from task`,
      [job],
    )
  const jobs = `select task_identifier as job, attempts, run_at > now() as later, locked_at is null as free
    from graphile_worker.jobs where task_identifier like 'staff_tasks.%' order by 1`
  const left = { attempts: 0, later: true, free: true }
  const both = [
    { job: 'staff_tasks.run', ...left },
    { job: 'staff_tasks.run_federation', ...left },
  ]
  await becomes(() => sql(server, jobs), both, 'the tasks are left')
  assert.equal((await sql(server, UNFINISHED)).length, 2)
  // One that knows them.
  await sql(
    server,
    `update staff_tasks set kind = case kind when 'staff_tasks.run of tomorrow' then 'prune_accounts' else 'cull_accounts' end`,
  )
  await becomes(() => sql(server, UNFINISHED), [], 'the tasks are done')
})

test('accounts that are gone from their servers are removed, others are fetched again', async t => {
  const { alice, server } = await people(t, 'alice')
  const { person: admin, browser } = await staffMember(t, server, 'admin')
  const [near, far] = [await startPeer(t), await startPeer(t)]
  const stays = near.actor('stays')
  for (const actor of [stays, near.actor('gone'), far.actor('elsewhere')]) {
    await waitUntilProcessed(server, alice, actor)
    if (actor !== stays) actor.peer.documents.set(new URL(actor.uri).pathname, 410)
  }
  await sql(
    server,
    `update accounts set fetched_at = now() - interval '8 days', display_name = '' where domain is not null`,
  )
  await sql(server, `update account_stats set last_status_at = now() - interval '8 days'`)
  const left = async () =>
    (
      await sql(
        server,
        `select split_part(username, '_', 1) as username, display_name from accounts where domain is not null order by id`,
      )
    ).map(row => `${String(row['username'])} ${String(row['display_name'])}`)
  const send = async (name: string, fields: Record<string, string>) => {
    await browser.submit(await browser.get(TASKS), `${TASKS}/${name}`, { sure: '1', ...fields })
    await becomes(() => sql(server, UNFINISHED), [], name)
    return readText(await browser.get(TASKS))
  }
  assert.match(await send('cull', { domain: near.domain.toUpperCase() }), /gone from their servers \S+ Finished 2 done/)
  assert.deepEqual(await left(), ['stays ', 'elsewhere '])
  await send('cull', {})
  assert.deepEqual(await left(), ['stays '])
  assert.match(await send('refresh', { domain: near.domain }), /servers again \S+ Finished 1 done/)
  assert.deepEqual(await left(), ['stays stays'])

  await sql(server, `update accounts set display_name = '' where domain is not null`)
  const [row] = await sql(server, 'select id::text from accounts where domain is not null')
  const path = `/admin/accounts/${String(row?.['id'])}`
  const response = await browser.submit(await browser.get(path), `${path}/refresh`)
  assert.equal(response.location, TASKS)
  await becomes(() => sql(server, UNFINISHED), [], 'one account')
  assert.deepEqual(await left(), ['stays stays'])
  assert.deepEqual(await loggedActions(server, admin), [
    `purge Account accounts cull ${near.domain}`,
    'purge Account accounts cull',
    `refresh Account accounts refresh --domain ${near.domain}`,
    `refresh Account ${stays.username}@${near.domain}`,
  ])
})
