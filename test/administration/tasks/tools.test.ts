import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, utimes, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { test } from 'tap'
import { makeKey } from '../../../src/platform/storage/index.ts'
import { waitUntilProcessed } from '../../federation/receive/receive_fixtures.ts'
import { becomes } from '../../platform/settings/pair.ts'
import { startPeer } from '../../support/federation/peer.ts'
import { startMailServer } from '../../support/mailbox.ts'
import { people, person, sql } from '../../support/people.ts'
import { startServer } from '../../support/server.ts'
import { assertCsrf, loggedActions, readText, staffMember } from '../staff_fixtures.ts'

const TASKS = '/admin/tasks'
const UNFINISHED = `select kind from staff_tasks where finished_at is null`

test('tools are permitted by their own permissions', async t => {
  const server = await startServer(t)
  const { browser: moderator } = await staffMember(t, server, 'moderator')
  const { browser } = await staffMember(t, server, 'admin')
  const token = (await moderator.get('/admin/accounts')).forms[0]?.fields['authenticity_token'] ?? ''
  for (const name of ['fetch', 'clear_caches', 'mail_test', 'copy', 'orphans', 'recount']) {
    const refused = await moderator.post(`${TASKS}/${name}`, { authenticity_token: token, sure: '1' })
    assert.equal(refused.status, 403, name)
    await assertCsrf(browser, `${TASKS}/${name}`, { sure: '1' })
  }
  const page = await browser.get(TASKS)
  for (const [name, fields, alert] of [
    ['copy', { domain: 'far.example' }, /confirm that you are sure/],
    ['copy', { sure: '1' }, /Name a domain/],
    ['orphans', {}, /confirm that you are sure/],
    ['recount', {}, /confirm that you are sure/],
    ['fetch', { url: 'no address' }, /No post was found/],
    ['mail_test', { email: 'nobody' }, /not an e-mail address/],
  ] as const) {
    const response = await browser.submit(page, `${TASKS}/${name}`, fields)
    assert.match(readText(await browser.get(response.location)), alert, name)
  }
  assert.deepEqual(await sql(server, 'select kind from staff_tasks'), [])
})

test('a test e-mail is sent, with the response of the mail server', async t => {
  const mail = await startMailServer(t)
  const server = await startServer(t, { env: { SMTP_URL: mail.url } })
  const { browser } = await staffMember(t, server, 'admin')
  const send = async (email: string) => {
    const response = await browser.submit(await browser.get(TASKS), `${TASKS}/mail_test`, { email })
    return readText(await browser.get(response.location))
  }
  assert.match(await send('ops@example.com'), /The e-mail to ops@example\.com was accepted: 250 /)
  await mail.email('ops@example.com', /./)
  mail.refusals.set('gone@example.com', [550, 'no such mailbox'])
  assert.match(await send('gone@example.com'), /The e-mail was not sent: .*no such mailbox/)
})

test('a post of another server is fetched by its address, and opened', async t => {
  const server = await startServer(t)
  const { browser } = await staffMember(t, server, 'owner')
  const peer = await startPeer(t)
  const note = peer.serve(peer.actor('bob').note('not known yet'))
  const send = async (url: string) => browser.submit(await browser.get(TASKS), `${TASKS}/fetch`, { url })
  const fetched = await send(note.id)
  const [row] = await sql(server, 'select id::text from statuses where uri = $1', [note.id])
  assert.equal(fetched.location, `/admin/statuses/${String(row?.['id'])}`)
  assert.match(readText(await browser.get(fetched.location)), /The post is here.*not known yet/)
  const missing = await send(`${peer.url}/nothing`)
  assert.match(readText(await browser.get(missing.location)), /No post was found there/)
})

test('the caches are cleared, or only the feeds', async t => {
  const server = await startServer(t)
  const { browser } = await staffMember(t, server, 'admin')
  const cleared = () =>
    sql(server, `select data ->> 'change' as change from events where kind = 'caches.cleared' order by id`)
  const send = async (fields: Record<string, string>) => {
    const response = await browser.submit(await browser.get(TASKS), `${TASKS}/clear_caches`, fields)
    assert.match(readText(await browser.get(response.location)), /The caches were cleared/)
  }
  await send({})
  await send({ feeds_only: '1' })
  assert.deepEqual(await cleared(), [{ change: 'all' }, { change: 'feeds' }])
})

test('the feeds of a user are cleared by those who manage the settings, and of nobody else', async t => {
  const server = await startServer(t)
  const { person: admin, browser } = await staffMember(t, server, 'admin')
  const { browser: other } = await staffMember(t, server, 'moderator')
  const alice = await person(server, 'alice')
  t.after(() => alice.close())
  const [remote] = await sql(
    server,
    `insert into accounts (username, domain) values ('eve', 'far.example') returning id::text`,
  )
  const cleared = () =>
    sql(
      server,
      `select account_id::text as of from events where kind = 'caches.cleared' and data = '{"change": "feeds"}'`,
    )
  const path = `/admin/accounts/${alice.id}`
  const hasForm = async (who: typeof browser, place: string) =>
    (await who.get(place)).forms.some(({ action }) => action === `${place}/build_feeds`)
  assert.deepEqual([await hasForm(browser, path), await hasForm(other, path)], [true, false])
  const done = await browser.submit(await browser.get(path), `${path}/build_feeds`)
  assert.equal(done.location, path)
  assert.match(readText(await browser.get(path)), /timelines will be built again/)
  assert.deepEqual(await cleared(), [{ of: alice.id }])
  assert.deepEqual(await loggedActions(server, admin), [`build_feeds Account ${alice.username}`])
  // Nobody of another server has feeds here.
  const far = `/admin/accounts/${String(remote?.['id'])}`
  assert.equal(await hasForm(browser, far), false)
  await assertCsrf(browser, `${path}/build_feeds`)
})

test('counters are recounted, and files that nothing names are removed', async t => {
  const server = await startServer(t)
  const { person: admin, browser } = await staffMember(t, server, 'admin')
  const alice = await person(server, 'alice')
  t.after(() => alice.close())
  const posted = await alice.postStatus('counted')
  await sql(server, 'update account_stats set statuses_count = 9 where account_id = $1', [alice.id])
  await sql(
    server,
    `insert into status_stats (status_id, favourites_count) values ($1, 9)
     on conflict (status_id) do update set favourites_count = 9`,
    [posted.id],
  )
  const [old, young] = [makeKey('media', 'png'), makeKey('media', 'png')]
  const placeOf = (key: string): string => path.join(server.config.dataDir, 'media', key)
  for (const key of [old, young]) {
    await mkdir(path.dirname(placeOf(key)), { recursive: true })
    await writeFile(placeOf(key), 'x')
  }
  const hoursAgo = new Date(Date.now() - 2 * 3_600_000)
  await utimes(placeOf(old), hoursAgo, hoursAgo)
  const send = async (name: string, fields: Record<string, string> = {}) => {
    await browser.submit(await browser.get(TASKS), `${TASKS}/${name}`, { sure: '1', ...fields })
    await becomes(() => sql(server, UNFINISHED), [], name)
    return readText(await browser.get(TASKS))
  }
  const far = { domain: 'far.example', uri: 'https://far.example/known' }
  const [known, extreme] = [
    await person(server, 'known', { account: far }),
    await person(server, 'extreme', { account: { ...far, uri: 'https://far.example/extreme' } }),
  ]
  for (const [{ id }, here, elsewhere] of [
    [known, 480, 20],
    [extreme, 5, 2_147_483_647],
  ] as const)
    await sql(server, 'update account_stats set statuses_count = $2, statuses_elsewhere = $3 where account_id = $1', [
      id,
      here,
      elsewhere,
    ])
  const figure = async (path: string, name: string) => ((await alice.get(path)).json as Record<string, unknown>)[name]
  assert.match(await send('recount'), /Recount the figures of accounts Finished \d+ done/)
  await becomes(() => figure(`/api/v1/accounts/${alice.id}`, 'statuses_count'), 1, 'the posts of the account')
  for (const [{ id }, count] of [
    [known, 500],
    [extreme, 2_147_483_647],
  ] as const)
    await becomes(() => figure(`/api/v1/accounts/${id}`, 'statuses_count'), count, 'the count of its own server stays')
  assert.match(await send('recount', { counted: 'statuses' }), /Recount the figures of posts Finished 1 done/)
  await becomes(() => figure(`/api/v1/statuses/${posted.id}`, 'favourites_count'), 0, 'the favourites of the post')
  assert.match(await send('orphans'), /Remove files that nothing uses Finished 1 done/)
  assert.deepEqual([existsSync(placeOf(old)), existsSync(placeOf(young))], [false, true])
  assert.deepEqual(await loggedActions(server, admin), [
    'recount Account cache recount accounts',
    'recount Status cache recount statuses',
    'purge Media media remove-orphans',
  ])
})

test('attachments of another server, or of an account, are copied again', async t => {
  const { alice, server } = await people(t, 'alice')
  const { person: admin, browser } = await staffMember(t, server, 'admin')
  const peer = await startPeer(t)
  const bob = peer.actor('bob')
  await waitUntilProcessed(server, alice, bob)
  const [row] = await sql(server, `select id::text from accounts where uri = $1`, [bob.uri])
  const account = String(row?.['id'])
  await sql(
    server,
    `insert into media_attachments (account_id, type, remote_url) values ($1, 'image', $2), ($1, 'image', $3)`,
    [account, `${peer.url}/1.png`, `${peer.url}/2.png`],
  )
  const asked = () => peer.asked.filter(one => one.endsWith('.png')).length
  await browser.submit(await browser.get(TASKS), `${TASKS}/copy`, { domain: peer.domain, sure: '1' })
  await becomes(() => sql(server, UNFINISHED), [], 'the copies')
  assert.equal(asked(), 2)
  assert.match(readText(await browser.get(TASKS)), /Copy attachments again of \S+ Finished 2 done/)
  const page = `/admin/accounts/${account}`
  const done = await browser.submit(await browser.get(page), `${page}/copy_media`)
  assert.equal(done.location, TASKS)
  await becomes(() => sql(server, UNFINISHED), [], 'the copies of an account')
  assert.equal(asked(), 4)
  assert.deepEqual(await loggedActions(server, admin), [`refresh Media ${peer.domain}`, `refresh Media ${bob.acct}`])
})
