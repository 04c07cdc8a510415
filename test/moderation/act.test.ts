import assert from 'node:assert/strict'
import { test } from 'tap'
import { waitForEvent, waitForMail } from '../accounts/waiting.ts'
import { notificationsOf } from '../notifications/notified.ts'
import { people, person, sql, type Person } from '../support/people.ts'
import type { TestServer } from '../support/server.ts'
import { commandLine, moderator } from './moderation_fixtures.ts'

interface Warned {
  type: string
  account: { id: string }
  moderation_warning?: { id: string; action: string; text: string; target_account: { id: string } }
}

const logOf = (server: TestServer, who: Person): Promise<unknown[]> =>
  sql(server, 'select action, target_type from admin_action_logs where target_name = $1 order by id', [who.username])

/** Waits until the log contains a change that another process made. */
const waitForChange = (server: TestServer, who: Person, what: string): Promise<void> =>
  waitForEvent(server, `e.account_id = $1 and e.data ->> 'change' = $2`, [who.id, what])

async function becomes(read: () => Promise<unknown>, wanted: unknown): Promise<void> {
  for (let tries = 0; tries < 200 && !Object.is(await read(), wanted); tries++);
  assert.equal(await read(), wanted)
}

test('a warning reaches the user as a notification, a group, a stream message and an e-mail', async t => {
  const { server, alice } = await people(t, 'alice')
  const ctl = await commandLine(t, server)
  const stream = await alice.stream('user:notification')
  assert.equal(await ctl('moderation', 'act', alice.username, 'none', '--text', 'Be kind, please.'), 'OK\n')
  const { payload } = await stream.next('notification')
  const notification = payload as Warned
  assert.deepEqual(Object.keys(notification), [
    'id',
    'type',
    'group_key',
    'created_at',
    'account',
    'moderation_warning',
  ])
  assert.equal(notification.account.id, alice.id)
  const warning = notification.moderation_warning
  assert.deepEqual(
    { ...warning, id: undefined, created_at: undefined, target_account: warning?.target_account.id },
    {
      id: undefined,
      action: 'none',
      text: 'Be kind, please.',
      status_ids: null,
      target_account: alice.id,
      appeal: null,
      created_at: undefined,
    },
  )
  assert.deepEqual(((await alice.get('/api/v1/notifications')).json as Warned[])[0], notification)
  const grouped = (await alice.get('/api/v2/notifications')).json as { notification_groups: Warned[] }
  assert.deepEqual(grouped.notification_groups[0]?.moderation_warning, warning)
  assert.match(await waitForMail(server, `${alice.username}@example.com`), /Be kind, please\./)
  assert.deepEqual(await logOf(server, alice), [{ action: 'create', target_type: 'AccountWarning' }])
})

test('a warning contains its appeal', async t => {
  const { server, alice } = await people(t, 'alice')
  const ctl = await commandLine(t, server)
  await ctl('moderation', 'act', alice.username, 'none')
  await sql(
    server,
    `insert into appeals (account_id, account_warning_id, text)
     select w.target_account_id, w.id, 'it was not me' from account_warnings w where w.target_account_id = $1`,
    [alice.id],
  )
  const appealOf = async (): Promise<unknown> => {
    const [notification] = (await alice.get('/api/v1/notifications')).json as {
      moderation_warning: { appeal: unknown }
    }[]
    return notification?.moderation_warning.appeal
  }
  assert.deepEqual(await appealOf(), { text: 'it was not me', state: 'pending' })
  await sql(server, 'update appeals set rejected_at = now() where account_id = $1', [alice.id])
  assert.deepEqual(await appealOf(), { text: 'it was not me', state: 'rejected' })
})

test('--no-notify suppresses the notification but records the strike', async t => {
  const { server, alice } = await people(t, 'alice')
  const ctl = await commandLine(t, server)
  await ctl('moderation', 'act', alice.username, 'sensitive', '--no-notify')
  assert.deepEqual(await notificationsOf(alice), [])
  const strikes = await sql(server, 'select action from account_warnings where target_account_id = $1', [alice.id])
  assert.deepEqual(strikes, [{ action: 'sensitive' }])
})

test('disabling a login blocks requests and ends streams, and enabling restores it', async t => {
  const { server, alice, bob } = await people(t, 'alice', 'bob')
  const ctl = await commandLine(t, server)
  const stream = await alice.stream('user')
  await ctl('moderation', 'act', alice.username, 'disable')
  await stream.closed
  const refused = await alice.get('/api/v1/timelines/home')
  assert.deepEqual([refused.status, refused.json], [403, { error: 'Your login is currently disabled' }])
  assert.equal((await bob.get(`/api/v1/accounts/${alice.id}`)).status, 200)
  await ctl('moderation', 'undo', alice.username, 'enable')
  await waitForChange(server, alice, 'enabled')
  await becomes(async () => (await alice.get('/api/v1/timelines/home')).status, 200)
  assert.deepEqual(await notificationsOf(alice), ['moderation_warning by alice'])
  assert.deepEqual(
    (await logOf(server, alice)).map(entry => (entry as { action: string }).action),
    ['disable', 'enable'],
  )
})

test('an action on an account that is limited already is a strike with an entry in the audit log', async t => {
  const { server, alice } = await people(t, 'alice')
  const staff = await moderator(t, server)
  const strike = (type: string) => staff.post(`/api/v1/admin/accounts/${alice.id}/action`, { type })
  for (const action of ['sensitive', 'silence', 'suspend'])
    for (const time of ['first', 'second']) assert.equal((await strike(action)).status, 200, `${time} ${action}`)
  const logged = (action: string): object[] => [1, 2].map(() => ({ action, target_type: 'Account' }))
  assert.deepEqual(await logOf(server, alice), ['sensitive', 'silence', 'suspend'].flatMap(logged))
  const strikes = await sql(server, 'select action from account_warnings where target_account_id = $1', [alice.id])
  assert.equal(strikes.length, 6)
})

test('a limited account is marked and left out of public timelines', async t => {
  const { server, alice, bob } = await people(t, 'alice', 'bob')
  const ctl = await commandLine(t, server)
  const status = await alice.postStatus('before')
  const shownTo = async (who: Person): Promise<boolean> =>
    ((await who.get('/api/v1/timelines/public')).json as { id: string }[]).some(({ id }) => id === status.id)
  assert.equal(await shownTo(bob), true)
  await ctl('moderation', 'act', alice.username, 'silence')
  await waitForChange(server, alice, 'silenced')
  await becomes(() => shownTo(bob), false)
  assert.equal(((await bob.get(`/api/v1/accounts/${alice.id}`)).json as { limited?: boolean }).limited, true)
  await becomes(async () => (await alice.postStatus('after')).visibility, 'unlisted')
  await ctl('moderation', 'undo', alice.username, 'unsilence')
  await becomes(() => shownTo(bob), true)
})

test('the media of a sensitive account are marked for others', async t => {
  const { server, alice, bob } = await people(t, 'alice', 'bob')
  const ctl = await commandLine(t, server)
  const status = await alice.postStatus('a picture')
  const marked = async (): Promise<unknown> =>
    ((await bob.get(`/api/v1/statuses/${status.id}`)).json as { sensitive: boolean }).sensitive
  assert.equal(await marked(), false)
  await ctl('moderation', 'act', alice.username, 'sensitive')
  await becomes(marked, true)
  await ctl('moderation', 'undo', alice.username, 'unsensitive')
  await becomes(marked, false)
})

test('suspending an account resolves its report and sends an e-mail', async t => {
  const { server, alice, bob } = await people(t, 'alice', 'bob')
  const mod = await moderator(t, server)
  const ctl = await commandLine(t, server)
  const { id } = (await bob.post('/api/v1/reports', { account_id: alice.id })).json as { id: string }
  await ctl('moderation', 'act', alice.username, 'suspend', '--report', id)
  assert.match(await waitForMail(server, `${alice.username}@example.com`), /account has been suspended/)
  await becomes(async () => (await alice.get('/api/v1/timelines/home')).status, 403)
  const [notification] = (await mod.get('/api/v1/notifications')).json as { report: { action_taken: boolean } }[]
  assert.equal(notification?.report.action_taken, true)
  assert.deepEqual(await logOf(server, alice), [{ action: 'suspend', target_type: 'Account' }])
})

test('users followed by a suspended remote account are notified of the lost followers', async t => {
  const { server, alice, bob } = await people(t, 'alice', 'bob')
  const ctl = await commandLine(t, server)
  const domain = `far-${alice.id}.example`
  const far = await person(server, 'far', { account: { domain, uri: `https://${domain}/far` } })
  for (const followed of [alice, bob])
    await sql(server, 'insert into follows (account_id, target_account_id) values ($1, $2)', [far.id, followed.id])
  await sql(server, 'insert into follows (account_id, target_account_id) values ($1, $2)', [alice.id, far.id])
  const stream = await alice.stream('user:notification')
  await ctl('moderation', 'act', `${far.username}@${domain}`, 'suspend')
  const { payload } = await stream.next('notification')
  const { type, event } = payload as { type: string; event: Record<string, unknown> }
  assert.equal(type, 'severed_relationships')
  assert.deepEqual(
    { ...event, id: undefined, created_at: undefined },
    {
      id: undefined,
      type: 'account_suspension',
      purged: false,
      target_name: `${far.username}@${domain}`,
      followers_count: 1,
      following_count: 0,
      created_at: undefined,
    },
  )
  assert.deepEqual(await notificationsOf(bob), ['severed_relationships by bob'])
  // Follows by local users stay until the account is removed.
  assert.deepEqual(
    await sql(server, 'select account_id::text from follows where $1 in (account_id, target_account_id)', [far.id]),
    [{ account_id: alice.id }],
  )
})
