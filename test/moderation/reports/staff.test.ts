import assert from 'node:assert/strict'
import { test } from 'tap'
import { waitForMail } from '../../accounts/waiting.ts'
import { commandLine, moderator } from '../moderation_fixtures.ts'
import { notificationsOf } from '../../notifications/notified.ts'
import { people, person, sql } from '../../support/people.ts'
import { startServer } from '../../support/server.ts'

interface ReportNotification {
  type: string
  group_key: string
  account: { id: string }
  report?: { id: string; target_account: { id: string } }
}

const REPORTS = '/api/v1/reports'

test('users who manage reports are notified in lists, groups and streams', async t => {
  const { server, alice, bob } = await people(t, 'alice', 'bob')
  const mod = await moderator(t, server)
  const stream = await mod.stream('user:notification')
  const made = (await alice.post(REPORTS, { account_id: bob.id, comment: 'rude' })).json as { id: string }
  const { payload } = await stream.next('notification')
  const notification = payload as ReportNotification
  assert.deepEqual(Object.keys(notification), ['id', 'type', 'group_key', 'created_at', 'account', 'report'])
  assert.equal(notification.type, 'admin.report')
  assert.match(notification.group_key, /^ungrouped-\d+$/)
  assert.equal(notification.account.id, alice.id)
  assert.equal(notification.report?.id, made.id)
  assert.equal(notification.report?.target_account.id, bob.id)
  const [listed] = (await mod.get('/api/v1/notifications', { 'types[]': 'admin.report' })).json as ReportNotification[]
  assert.deepEqual(listed, notification)
  const grouped = (await mod.get('/api/v2/notifications')).json as { notification_groups: ReportNotification[] }
  assert.deepEqual(grouped.notification_groups[0]?.report, notification.report)
  assert.deepEqual(await notificationsOf(mod, { 'exclude_types[]': 'admin.report' }), [])
  assert.deepEqual(await notificationsOf(bob), [])
})

test('only the first open report about an account creates a notification', async t => {
  const { server, alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  const mod = await moderator(t, server)
  await alice.post(REPORTS, { account_id: bob.id })
  await carol.post(REPORTS, { account_id: bob.id })
  assert.deepEqual(await notificationsOf(mod), ['admin.report by alice'])
  await sql(server, 'update reports set action_taken_at = now() where target_account_id = $1', [bob.id])
  await carol.post(REPORTS, { account_id: bob.id })
  assert.deepEqual(await notificationsOf(mod), ['admin.report by carol', 'admin.report by alice'])
})

test('simultaneous reports about an account create one notification', async t => {
  const { server, bob } = await people(t, 'bob')
  const mod = await moderator(t, server)
  const reporters = await Promise.all(Array.from({ length: 6 }, (_, index) => person(server, `r${index}`)))
  const answers = await Promise.all(reporters.map(one => one.post(REPORTS, { account_id: bob.id })))
  assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
  assert.equal((await notificationsOf(mod)).length, 1)
})

test('the reporter and roles without the permission are not notified', async t => {
  const { server, bob } = await people(t, 'bob')
  const [mod, owner] = [await moderator(t, server), await person(server, 'owner', { roleId: 3 })]
  await mod.post(REPORTS, { account_id: bob.id })
  assert.deepEqual(await notificationsOf(mod), [])
  assert.deepEqual(await notificationsOf(owner), ['admin.report by mod'])
})

test('staff receive an e-mail unless they switched it off', async t => {
  const server = await startServer(t)
  const [alice, bob] = [await person(server, 'alice'), await person(server, 'bob')]
  const quiet = await moderator(t, server, { preferences: { notification_emails: { report: false } } })
  const mod = await moderator(t, server)
  await alice.post(REPORTS, { account_id: bob.id, comment: 'rude', category: 'spam' })
  const email = await waitForMail(server, `${mod.username}@example.com`)
  assert.match(email, new RegExp(`@${alice.username} has reported @${bob.username}`))
  assert.match(email, /Category: Spam/)
  assert.match(email, /\/admin\/reports\/\d+/)
  const jobs = await sql(server, `select payload from graphile_worker._private_jobs where payload ->> 'user' = $1`, [
    quiet.userId,
  ]).catch(() => [])
  assert.deepEqual(jobs, [])
})

test('ctl lists, shows and resolves reports', async t => {
  const server = await startServer(t)
  const [alice, bob] = [await person(server, 'alice'), await person(server, 'bob')]
  const ctl = await commandLine(t, server)
  const { id } = (await alice.post(REPORTS, { account_id: bob.id, comment: 'not\nnice' })).json as { id: string }
  assert.match(
    await ctl('reports', 'list'),
    new RegExp(`^${id} .*open .*other .*${bob.username} .*${alice.username} .*not nice$`, 'm'),
  )
  assert.match(await ctl('reports', 'show', id), new RegExp(`^Account: +${bob.username}$`, 'm'))
  assert.equal(await ctl('reports', 'resolve', id), 'OK\n')
  assert.doesNotMatch(await ctl('reports', 'list'), new RegExp(`^${id} `, 'm'))
  assert.match(await ctl('reports', 'list', '--all'), new RegExp(`^${id} .*resolved`, 'm'))
  assert.deepEqual(await sql(server, 'select action, target_type, account_id from admin_action_logs'), [
    { action: 'resolve', target_type: 'Report', account_id: null },
  ])
})
