import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test, type Test } from 'tap'
import {
  createWebhook,
  maySubscribe,
  updateWebhook,
  WEBHOOK_EVENT_NAMES,
} from '../../../src/administration/webhooks/index.ts'
import type { Viewer } from '../../../src/core/viewer.ts'
import { openDatabase } from '../../../src/platform/database/index.ts'
import { createCommandLine } from '../../cli/command.ts'
import { violationsOf } from '../../conformance/entity.ts'
import { Client } from '../../support/client.ts'
import { makeToken, people, person, sql } from '../../support/people.ts'
import type { ServerAddress } from '../../support/server.ts'
import { entityOf } from '../admin_api.ts'
import { startReceiver } from './receiver.ts'
import { OPEN_REGISTRATIONS, shareServerWith } from '../../support/server.ts'

shareServerWith(OPEN_REGISTRATIONS)

function databaseOf(t: Test, server: ServerAddress) {
  const connection = { connectionString: server.databaseUrl }
  const database = openDatabase({ connection, poolSize: 1, onError: () => {}, onSlowQuery: () => {} })
  t.after(() => database.close())
  return database
}

/** A receiver of these events, without a webhook at the end of the test. */
async function subscribe(t: Test, server: ServerAddress, ...events: string[]) {
  const receiver = await startReceiver(t)
  await createWebhook(databaseOf(t, server), null, { url: receiver.url, events })
  t.after(() => sql(server, 'delete from webhooks'))
  return receiver
}

/** A moderator with these permissions, as the functions of webhooks take one. */
const viewerWith = (permissions: number): Viewer => ({
  id: '1',
  userId: '1',
  username: 'somebody',
  state: 'functional',
  suspended: false,
  missingFactor: false,
  silenced: false,
  locked: false,
  locale: null,
  timeZone: null,
  chosenLanguages: null,
  permissions,
  rolePosition: 1,
  preferences: {},
})

test('accounts arrive when they are created, approved and changed, as moderators see them', async t => {
  const { server } = await people(t)
  const receiver = await subscribe(t, server, 'account.created', 'account.approved', 'account.updated')
  const application = new Client(server, await makeToken(server, null))
  const admin = await person(server, 'admin', { roleId: 2 })
  t.after(() => admin.close())
  entityOf(await admin.post('/api/v1/admin/ip_blocks', { ip: '198.51.100.99', severity: 'sign_up_requires_approval' }))
  const username = `new_${randomBytes(4).toString('hex')}`
  const email = `${username}@example.com`
  entityOf(
    await application.post(
      '/api/v1/accounts',
      { username, email, password: 'correct horse battery', agreement: true },
      { 'X-Forwarded-For': '198.51.100.99' },
    ),
  )
  const created = (await receiver.next('account.created')).body.object
  assert.deepEqual(violationsOf(created, 'Admin_Account'), [])
  assert.deepEqual(
    [created['username'], created['email'], created['approved'], created['confirmed']],
    [username, email, false, false],
  )
  entityOf(await admin.post(`/api/v1/admin/accounts/${created.id}/approve`))
  const approved = (await receiver.next('account.approved')).body.object
  assert.deepEqual([approved.id, approved['approved']], [created.id, true])
  const alice = await person(server, 'alice')
  t.after(() => alice.close())
  await alice.patch('/api/v1/accounts/update_credentials', { display_name: 'Alice of the hills' })
  const updated = (await receiver.next('account.updated')).body.object
  assert.equal((updated['account'] as { display_name: unknown }).display_name, 'Alice of the hills')
  await admin.post(`/api/v1/admin/accounts/${alice.id}/action`, { type: 'silence' })
  const silenced = await receiver.inbox.take('silenced', ({ body }) => body.object['silenced'] === true)
  assert.deepEqual([silenced.body.event, silenced.body.object.id], ['account.updated', alice.id])
})

test('the operator approves with the same event, once', async t => {
  const { server } = await people(t)
  const receiver = await subscribe(t, server, 'account.approved')
  const ctl = await createCommandLine(t, server.databaseUrl)
  const [one, two] = [
    await person(server, 'one', { user: { approved: false } }),
    await person(server, 'two', { user: { approved: false } }),
  ]
  await ctl.ok('accounts', 'modify', one.username, '--approve')
  await ctl.ok('accounts', 'modify', one.username, '--approve')
  await ctl.ok('accounts', 'modify', two.username, '--approve')
  const received = await receiver.inbox.takeUntil('the second', ({ body }) => body.object.id === two.id)
  assert.deepEqual(received.map(({ body }) => body.object.id).sort(), [one.id, two.id].sort())
})

test('reports arrive when they are created and resolved, with their statuses; remote accounts do not', async t => {
  const { server, alice, bob } = await people(t, 'alice', 'bob')
  const receiver = await subscribe(t, server, 'report.created', 'report.updated', 'account.updated')
  const { id: status } = await bob.postStatus('rude')
  entityOf(await alice.post('/api/v1/reports', { account_id: bob.id, status_ids: [status], comment: 'rude' }))
  const created = (await receiver.next('report.created')).body.object
  assert.deepEqual(violationsOf(created, 'Admin_Report'), [])
  assert.equal(created['comment'], 'rude')
  assert.deepEqual(
    (created['statuses'] as { id: string }[]).map(({ id }) => id),
    [status],
  )
  const admin = await person(server, 'admin', { roleId: 2 })
  t.after(() => admin.close())
  for (const [change, assigned, taken] of [
    ['assign_to_self', admin.id, false],
    ['unassign', undefined, false],
    ['resolve', undefined, true],
    ['reopen', undefined, false],
  ] as const) {
    entityOf(await admin.post(`/api/v1/admin/reports/${created.id}/${change}`))
    const updated = (await receiver.next('report.updated')).body.object
    const assignee = (updated['assigned_account'] as { id: string } | null)?.id
    assert.deepEqual([updated.id, assignee, updated['action_taken']], [created.id, assigned, taken], change)
  }
  await sql(
    server,
    `with a as (
       insert into accounts (username, domain, uri) values ('far', 'far.example', 'https://far.example/u/far') returning id
     ), c as (insert into account_stats (account_id) select a.id from a)
     insert into events (kind, account_id, data) select 'account.changed', a.id, '{"change": "profile"}' from a`,
  )
  await bob.patch('/api/v1/accounts/update_credentials', { display_name: 'Bob' })
  const own = await receiver.inbox.takeUntil('the change', ({ body }) => body.object.id === bob.id)
  assert.deepEqual(
    own.map(({ body }) => body.object['domain']),
    [null],
  )
})

test('subscribing needs the permissions to view the same data', async t => {
  const { server } = await people(t)
  const database = databaseOf(t, server)
  t.after(() => sql(server, 'delete from webhooks'))
  const permitted = (permissions: number): string[] =>
    WEBHOOK_EVENT_NAMES.filter(name => maySubscribe(viewerWith(permissions), name))
  assert.deepEqual(permitted(0x8000), [])
  assert.deepEqual(permitted(0x400), ['account.approved', 'account.created', 'account.updated'])
  assert.deepEqual(permitted(0x10), ['report.created', 'report.updated'])
  assert.deepEqual(permitted(0x2), ['status.created', 'status.updated'])
  assert.deepEqual(permitted(0x1), WEBHOOK_EVENT_NAMES)
  assert.ok(WEBHOOK_EVENT_NAMES.every(name => maySubscribe(null, name)))
  const error = /^ApiError: Validation failed: Events cannot include events you don't have the rights to$/
  const url = 'https://hooks.example/1'
  await assert.rejects(
    createWebhook(database, viewerWith(0x8010), { url, events: ['report.created', 'status.created'] }),
    error,
  )
  const { id } = await createWebhook(database, null, { url, events: ['status.created'] })
  // A change of the URL alone would also show what the role does not permit.
  await assert.rejects(
    updateWebhook(database, viewerWith(0x8010), id, { url: `${url}/2`, events: ['status.created'] }),
    error,
  )
})
