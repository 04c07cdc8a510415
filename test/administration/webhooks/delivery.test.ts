import assert from 'node:assert/strict'
import pg from 'pg'
import { test, type Test } from 'tap'
import { createWebhook, setWebhookEnabled, type Webhook } from '../../../src/administration/webhooks/index.ts'
import { openDatabase, type Database } from '../../../src/platform/database/index.ts'
import { becomes } from '../../platform/settings/pair.ts'
import { createCommandLine, runHere } from '../../cli/command.ts'
import { people, sql } from '../../support/people.ts'
import type { ServerAddress } from '../../support/server.ts'
import { violationsOf } from '../../conformance/entity.ts'
import { sign, startReceiver } from './receiver.ts'

function databaseOf(t: Test, server: ServerAddress): Database {
  const connection = { connectionString: server.databaseUrl }
  const database = openDatabase({ connection, poolSize: 1, onError: () => {}, onSlowQuery: () => {} })
  t.after(() => database.close())
  return database
}

/** A webhook of the operator, with its receiver; removed at the end of the test. */
async function subscribe(t: Test, server: ServerAddress, ...events: string[]) {
  const receiver = await startReceiver(t)
  const database = databaseOf(t, server)
  const webhook = await createWebhook(database, null, { url: receiver.url, events })
  t.after(() => sql(server, 'delete from webhooks'))
  return { receiver, database, webhook }
}

const jobsOf = (server: ServerAddress, { id }: Webhook) =>
  sql(
    server,
    `select j.id::text, j.attempts, j.max_attempts, j.run_at > now() as waits, j.last_error
     from graphile_worker._private_jobs j where j.payload ->> 'webhook' = $1 and j.locked_at is null`,
    [id],
  )

/** Runs a waiting job now instead of after its pause. */
const runNow = async (server: ServerAddress, id: unknown): Promise<void> => {
  await sql(server, `select graphile_worker.reschedule_jobs(array[$1::bigint], run_at => now())`, [id])
  await sql(server, `select pg_notify('jobs:insert', '{"count":1}')`)
}

test('posts and edits of local members arrive, signed; boosts and other events do not', async t => {
  const { server, alice, bob } = await people(t, 'alice', 'bob')
  const { receiver, webhook } = await subscribe(t, server, 'status.created', 'status.updated')
  const before = Date.now()
  const { id } = await alice.postStatus('one', { visibility: 'unlisted' })
  const created = await receiver.next('status.created')
  assert.equal(created.path, 'POST /hook')
  assert.equal(created.type, 'application/json')
  assert.equal(created.signature, sign(webhook.secret, created.text))
  assert.deepEqual(Object.keys(created.body), ['event', 'created_at', 'object'])
  assert.equal(created.body.object.id, id)
  assert.equal(created.body.object['content'], '<p>one</p>')
  assert.deepEqual(violationsOf(created.body.object, 'Status'), [])
  const atMs = Date.parse(created.body.created_at)
  assert.match(created.body.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  assert.ok(atMs >= before - 60_000 && atMs <= Date.now() + 60_000)
  await bob.post(`/api/v1/statuses/${id}/reblog`)
  await bob.post(`/api/v1/statuses/${id}/favourite`)
  await alice.put(`/api/v1/statuses/${id}`, { status: 'two' })
  const updated = await receiver.inbox.takeUntil('the edit', ({ body }) => body.event === 'status.updated')
  assert.deepEqual(
    updated.map(({ body }) => [body.event, body.object.id, body.object['content']]),
    [['status.updated', id, '<p>two</p>']],
  )
})

test('a delivery shows the change even if its process reads the event after the job has started', async t => {
  const { server, alice } = await people(t, 'alice')
  const { receiver, webhook } = await subscribe(t, server, 'status.updated')
  const { id } = await alice.postStatus('one')
  assert.match((await alice.get(`/api/v1/statuses/${id}`)).text, /<p>one<\/p>/)
  // An open transaction holds back the event log, and another process edits.
  const holder = new pg.Client({ connectionString: server.databaseUrl })
  await holder.connect()
  t.after(() => holder.end())
  await holder.query('begin')
  await holder.query('select pg_current_xact_id()')
  await sql(
    server,
    `with edited as (
       update statuses set text = 'two', content = '<p>two</p>', edited_at = now() where id = $1 returning id, account_id
     )
     insert into events (kind, actor_id, status_id, data)
     select 'status.updated', edited.account_id, edited.id, status_facts(s) from edited join statuses s on s.id = edited.id`,
    [id],
  )
  const hasBegun = async (): Promise<boolean> => {
    const jobs = await sql(
      server,
      `select from graphile_worker._private_jobs j where j.payload ->> 'webhook' = $1 and j.attempts > 0`,
      [webhook.id],
    )
    return jobs.length > 0 || receiver.inbox.messages.length > 0
  }
  await becomes(hasBegun, true, 'the job has begun')
  await holder.query('rollback')
  assert.equal((await receiver.next('status.updated')).body.object['content'], '<p>two</p>')
})

test('a webhook receives its subscribed events, and nothing while disabled', async t => {
  const { server, alice } = await people(t, 'alice')
  const { receiver, database, webhook } = await subscribe(t, server, 'status.updated')
  const other = await subscribe(t, server, 'status.created')
  const { id } = await alice.postStatus('one')
  assert.equal((await other.receiver.next('status.created')).body.object.id, id)
  assert.equal(await setWebhookEnabled(database, null, other.webhook.id, false), true)
  assert.equal(await setWebhookEnabled(database, null, other.webhook.id, false), false)
  const { id: second } = await alice.postStatus('two')
  await alice.put(`/api/v1/statuses/${second}`, { status: 'three' })
  assert.equal((await receiver.next('status.updated')).body.object.id, second)
  assert.deepEqual(other.receiver.inbox.messages, [])
  // What waits when a webhook is disabled is not delivered either.
  receiver.answers(503)
  await alice.put(`/api/v1/statuses/${second}`, { status: 'four' })
  await receiver.next('status.updated')
  await becomes(async () => (await jobsOf(server, webhook)).length, 1, 'a waiting delivery')
  await setWebhookEnabled(database, null, webhook.id, false)
  await runNow(server, (await jobsOf(server, webhook))[0]?.['id'])
  await becomes(async () => (await jobsOf(server, webhook)).length, 0, 'no delivery')
  assert.deepEqual(receiver.inbox.messages, [])
})

test('a failed delivery is retried after growing delays, and failures are counted until one succeeds', async t => {
  const { server, alice } = await people(t, 'alice')
  const { receiver, webhook } = await subscribe(t, server, 'status.created')
  const stateOf = async () =>
    (await sql(server, 'select failures, last_error from webhooks where id = $1', [webhook.id]))[0]
  receiver.answers(503, 429)
  const { id } = await alice.postStatus('again')
  await receiver.next('status.created')
  await becomes(
    async () => (await jobsOf(server, webhook)).map(({ attempts, waits }) => [attempts, waits]),
    [[1, true]],
    'a wait',
  )
  assert.deepEqual(await stateOf(), { failures: 1, last_error: 'The response has the status 503' })
  const [job] = await jobsOf(server, webhook)
  assert.equal(job?.['max_attempts'], 16)
  await runNow(server, job?.['id'])
  await receiver.next('status.created')
  await becomes(async () => (await jobsOf(server, webhook)).map(({ attempts }) => attempts), [2], 'a second failure')
  assert.deepEqual(await stateOf(), { failures: 2, last_error: 'The response has the status 429' })
  await runNow(server, job?.['id'])
  assert.equal((await receiver.next('status.created')).body.object.id, id)
  await becomes(stateOf, { failures: 0, last_error: null }, 'no failures')
  assert.deepEqual(await jobsOf(server, webhook), [])
})

test('the last attempt, a permanent refusal and a redirect end a delivery', async t => {
  const { server, alice } = await people(t, 'alice')
  const { receiver, webhook } = await subscribe(t, server, 'status.created')
  const failures = async () => (await sql(server, 'select failures from webhooks where id = $1', [webhook.id]))[0]
  receiver.answers(404, 302, 500, 500)
  for (const number of [1, 2]) {
    await alice.postStatus(`no ${number}`)
    await receiver.next('status.created')
    await becomes(failures, { failures: number }, 'a failure')
    await becomes(() => jobsOf(server, webhook), [], 'no further attempt')
  }
  await alice.postStatus('the last')
  await receiver.next('status.created')
  await becomes(async () => (await jobsOf(server, webhook)).length, 1, 'a wait')
  const [job] = await jobsOf(server, webhook)
  await sql(server, `select graphile_worker.reschedule_jobs(array[$1::bigint], attempts => 15)`, [job?.['id']])
  await runNow(server, job?.['id'])
  await receiver.next('status.created')
  await becomes(failures, { failures: 4 }, 'the last failure')
  await becomes(() => jobsOf(server, webhook), [], 'no further attempt')
})

test('a deleted status is not delivered, and a transaction that fails causes no delivery', async t => {
  const { server, alice } = await people(t, 'alice')
  const { receiver, webhook } = await subscribe(t, server, 'status.created')
  receiver.answers(503)
  const { id } = await alice.postStatus('gone')
  await receiver.next('status.created')
  await becomes(async () => (await jobsOf(server, webhook)).length, 1, 'a wait')
  await alice.delete(`/api/v1/statuses/${id}`)
  await runNow(server, (await jobsOf(server, webhook))[0]?.['id'])
  await becomes(() => jobsOf(server, webhook), [], 'no further attempt')
  await sql(
    server,
    `do $$ begin
       insert into events (kind, actor_id, status_id, data) values ('status.created', 1, 1, '{"local": true}');
       raise exception 'undone';
     exception when others then null; end $$`,
  )
  const { id: next } = await alice.postStatus('next')
  assert.equal((await receiver.next('status.created')).body.object.id, next)
  assert.deepEqual(receiver.inbox.messages, [])
})

test('operators create, list, change, test, rotate and delete webhooks', async t => {
  const { server } = await people(t)
  const receiver = await startReceiver(t)
  const ctl = await createCommandLine(t, server.databaseUrl)
  const run = async (...given: string[]) => {
    const environment = { DATABASE_URL: server.databaseUrl, DATA_DIR: ctl.folder, PUBLIC_URL: 'https://ctl.example' }
    const { code, out, err } = await runHere(['webhooks', ...given], { ...environment, ALLOW_PRIVATE_ADDRESSES: 'on' })
    return [code, out + err]
  }
  const made = await ctl.ok('webhooks', 'create', receiver.url, '--events', 'status.created, report.created')
  const [, id = '', secret = ''] = /^Created the webhook (\d+)\nSecret: ([0-9a-f]{40})\n$/.exec(made) ?? []
  assert.match(
    await ctl.ok('webhooks', 'list'),
    new RegExp(`^${id} +enabled +${receiver.url} +report.created,status.created +-$`, 'm'),
  )
  for (const [given, error] of [
    [['create', receiver.url, '--events', 'status.created'], 'Url has already been taken'],
    [['create', 'ftp://a.example/', '--events', 'status.created'], 'Url is not a valid URL'],
    [['create', 'https://a:b@a.example/', '--events', 'status.created'], 'Url is not a valid URL'],
    [['create', ' ', '--events', 'status.created'], "Url can't be blank"],
    [['create', 'https://a.example/', '--events', 'status.deleted'], 'Events is invalid'],
    [['modify', id, '--events', ''], 'Events is invalid'],
    [['modify', id, '--enable', '--disable'], 'Cannot specify both --enable and --disable'],
    [['modify', '99999', '--enable'], 'There is no webhook 99999'],
    [['test', 'x'], 'There is no webhook x'],
  ] as const) {
    assert.deepEqual(await run(...given), [1, `${error}\n`])
  }
  // Unless the operator allows it, nothing is sent to private addresses.
  assert.match((await ctl.run('webhooks', 'test', id)).err, /private network addresses are disallowed/)
  assert.deepEqual(await run('test', id), [0, 'Delivered; the response has the status 200\n'])
  const tried = await receiver.next('webhook.test')
  assert.equal(tried.signature, sign(secret, tried.text))
  receiver.answers(410)
  assert.deepEqual(await run('test', id), [1, 'The response has the status 410\n'])
  assert.match(await ctl.ok('webhooks', 'list'), /1: The response has the status 410$/m)
  const [, rotated = ''] = /^Secret: ([0-9a-f]{40})\n$/.exec(await ctl.ok('webhooks', 'rotate', id)) ?? []
  assert.notEqual(rotated, secret)
  await receiver.next('webhook.test')
  await run('test', id)
  const again = await receiver.next('webhook.test')
  assert.equal(again.signature, sign(rotated, again.text))
  assert.deepEqual(await run('modify', id, '--url', `${receiver.url}/2`, '--events', 'status.updated', '--disable'), [
    0,
    'OK\n',
  ])
  assert.match(
    await ctl.ok('webhooks', 'list'),
    new RegExp(`^${id} +disabled +${receiver.url}/2 +status.updated +-$`, 'm'),
  )
  assert.deepEqual(await run('delete', id), [0, 'OK\n'])
  assert.deepEqual(await run('delete', id), [1, `There is no webhook ${id}\n`])
  const log = await ctl.sql(
    `select action from admin_action_logs where target_type = 'Webhook' and target_id = ${id} order by id`,
  )
  assert.deepEqual(
    log.map(row => row['action']),
    ['create', 'rotate_secret', 'update', 'disable', 'destroy'],
  )
})
