import assert from 'node:assert/strict'
import { test, type Test } from 'tap'
import { waitForEvent, waitForMail } from '../../accounts/waiting.ts'
import { notificationsOf } from '../../notifications/notified.ts'
import { startMailServer } from '../../support/mailbox.ts'
import { person, people, sql, type Person } from '../../support/people.ts'
import { startServer, type TestServer } from '../../support/server.ts'

const path = (who: { id: string }, rest = ''): string => `/api/v1/admin/accounts/${who.id}${rest}`
const FORBIDDEN = [403, { error: 'Forbidden' }]
const REFUSED = [403, { error: 'This action is not allowed' }]

async function staff(t: Test, server: TestServer, roleId: number): Promise<Person> {
  const made = await person(server, 'staff', { roleId })
  t.after(() => made.close())
  return made
}

async function setUp(t: Test) {
  const { server, alice, bob } = await people(t, 'alice', 'bob')
  return { server, alice, bob, mod: await staff(t, server, 1), admin: await staff(t, server, 2) }
}

const post = async (who: Person, to: string, body: Record<string, unknown> = {}): Promise<unknown[]> => {
  const { status, json } = await who.post(to, body)
  return [status, json]
}

const logOf = async (server: TestServer, who: Person): Promise<string[]> =>
  (
    await sql(server, 'select action, target_type from admin_action_logs where target_name = $1 order by id', [
      who.username,
    ])
  ).map(entry => `${String(entry['action'])} ${String(entry['target_type'])}`)

const far = async (server: TestServer): Promise<{ id: string }> => {
  const [row] = await sql(
    server,
    `insert into accounts (username, domain, uri) values ('far', md5(random()::text), 'https://far.example/' || md5(random()::text)) returning id::text`,
  )
  return { id: String(row?.['id']) }
}

test('a pending user is approved once, and webhooks receive the approval', async t => {
  const { server, bob, mod } = await setUp(t)
  const waiting = await person(server, 'waiting', { user: { approved: false } })
  const { status, json } = await mod.post(path(waiting, '/approve'))
  assert.deepEqual([status, (json as { approved: boolean }).approved], [200, true])
  await waitForEvent(server, `e.kind = 'user.changed' and e.account_id = $1 and e.data ->> 'change' = 'approved'`, [
    waiting.id,
  ])
  assert.equal((await waiting.get('/api/v1/accounts/verify_credentials')).status, 200)
  assert.match(await waitForMail(server, `${waiting.username}@example.com`), /Welcome/)
  assert.deepEqual(await post(mod, path(waiting, '/approve')), REFUSED)
  assert.deepEqual(await post(mod, path(waiting, '/reject')), REFUSED)
  const remote = await far(server)
  assert.deepEqual(await post(mod, path(remote, '/approve')), FORBIDDEN)
  assert.deepEqual(await post(mod, path(remote, '/reject')), FORBIDDEN)
  assert.deepEqual(await post(bob, path(waiting, '/approve')), REFUSED)
  assert.deepEqual(await post(mod, '/api/v1/admin/accounts/999999/approve'), [404, { error: 'Record not found' }])
  assert.deepEqual(await logOf(server, waiting), ['approve User'])
})

test('a rejected user is removed at once, and the username and e-mail address are free', async t => {
  const { server, mod } = await setUp(t)
  const waiting = await person(server, 'waiting', { user: { approved: false } })
  assert.deepEqual(await post(mod, path(waiting, '/reject')), [200, {}])
  const left = await sql(
    server,
    `select from accounts where id = $1 union all select from users where email = $2
     union all select from canonical_email_blocks where canonical_email_hash = canonical_email_hash($2)`,
    [waiting.id, `${waiting.username}@example.com`],
  )
  assert.equal(left.length, 0)
  assert.equal((await waiting.get('/api/v1/accounts/verify_credentials')).status, 401)
  assert.deepEqual(await logOf(server, waiting), ['reject User'])
})

test('actions have exact errors', async t => {
  const { server, alice, bob, mod } = await setUp(t)
  const act = (body: Record<string, unknown>, target: { id: string } = alice) =>
    post(mod, path(target, '/action'), body)
  const invalid = (error: string) => [422, { error: `Validation failed: ${error}` }]
  assert.deepEqual(await act({}), invalid("Type can't be blank, Type is not included in the list"))
  assert.deepEqual(await act({ type: 'ban' }), invalid('Type is not included in the list'))
  const missing = [404, { error: 'Record not found' }]
  assert.deepEqual(await act({ type: 'none', report_id: '999999' }), missing)
  assert.deepEqual(await act({ type: 'none', warning_preset_id: '999999' }), missing)
  const { id: report } = (await alice.post('/api/v1/reports', { account_id: bob.id })).json as { id: string }
  assert.deepEqual(await act({ type: 'none', report_id: report }), missing)
  assert.deepEqual(await act({ type: 'disable' }, await far(server)), FORBIDDEN)
  assert.deepEqual(await post(bob, path(alice, '/action'), { type: 'none', report_id: '999999' }), missing)
  assert.deepEqual(await post(bob, path(alice, '/action'), { type: 'none' }), REFUSED)
  assert.deepEqual(await sql(server, 'select from account_warnings where target_account_id = $1', [alice.id]), [])
})

test('moderators cannot act on accounts of equal or higher rank', async t => {
  const { server, mod, admin } = await setUp(t)
  const peer = await staff(t, server, 1)
  const owner = await staff(t, server, 3)
  for (const type of ['none', 'disable', 'sensitive', 'silence', 'suspend']) {
    for (const [actor, target] of [
      [mod, peer],
      [mod, mod],
      [mod, admin],
      [admin, owner],
      [owner, owner],
    ] as const) {
      assert.deepEqual(await post(actor, path(target, '/action'), { type }), REFUSED)
    }
  }
  assert.deepEqual(await post(admin, path(mod, '/action'), { type: 'none' }), [200, {}])
})

test('a warning with preset and text reaches the account, and resolves only its report', async t => {
  const { server, alice, bob, mod } = await setUp(t)
  const said = await alice.postStatus('something')
  const file = async (who: Person, statusIds: string[]): Promise<string> =>
    ((await who.post('/api/v1/reports', { account_id: alice.id, status_ids: statusIds })).json as { id: string }).id
  const report = await file(bob, [said.id])
  const other = await file(await person(server, 'carol'), [])
  const [preset] = await sql(server, `insert into warning_presets (text) values ('Be kind.') returning id::text`)
  const body = { type: 'none', report_id: report, warning_preset_id: preset?.['id'], text: ' Really. ' }
  assert.deepEqual(await post(mod, path(alice, '/action'), body), [200, {}])
  assert.deepEqual(
    await sql(
      server,
      `select action, text, status_ids::text[], account_id::text from account_warnings where target_account_id = $1`,
      [alice.id],
    ),
    [{ action: 'none', text: 'Be kind.\n\nReally.', status_ids: [said.id], account_id: mod.id }],
  )
  const open = await sql(
    server,
    'select id::text from reports where target_account_id = $1 and action_taken_at is null',
    [alice.id],
  )
  assert.deepEqual(open, [{ id: other }])
  assert.deepEqual(await notificationsOf(alice), ['moderation_warning by alice'])
  assert.deepEqual(await logOf(server, alice), ['create AccountWarning'])
})

test('without a message nothing is sent; the action is logged', async t => {
  const { server, alice, mod } = await setUp(t)
  const body = { type: 'sensitive', send_email_notification: false, text: 'quiet' }
  assert.deepEqual(await post(mod, path(alice, '/action'), body), [200, {}])
  assert.deepEqual(await notificationsOf(alice), [])
  assert.deepEqual(await logOf(server, alice), ['sensitive Account'])
})

for (const [type, reversal, member, logged] of [
  ['disable', 'enable', 'disabled', 'User'],
  ['sensitive', 'unsensitive', 'sensitized', 'Account'],
  ['silence', 'unsilence', 'silenced', 'Account'],
  ['suspend', 'unsuspend', 'suspended', 'Account'],
] as const) {
  test(`${type} and ${reversal}`, async t => {
    const { server, alice, bob, mod } = await setUp(t)
    const shown = async (): Promise<unknown> => ((await mod.get(path(alice))).json as Record<string, unknown>)[member]
    assert.equal(await shown(), false)
    const stream = await alice.stream('user')
    await bob.post('/api/v1/reports', { account_id: alice.id })
    assert.deepEqual(await post(mod, path(alice, '/action'), { type }), [200, {}])
    assert.equal(await shown(), true)
    if (type === 'disable' || type === 'suspend') {
      await stream.closed
      const own = await alice.get('/api/v1/timelines/home')
      assert.deepEqual([own.status, own.json], [403, { error: 'Your login is currently disabled' }])
    }
    assert.match(await waitForMail(server, `${alice.username}@example.com`), /moderators/)
    const open = await sql(server, 'select from reports where target_account_id = $1 and action_taken_at is null', [
      alice.id,
    ])
    assert.equal(open.length, 0)
    assert.deepEqual(await post(bob, path(alice, `/${reversal}`)), REFUSED)
    const undone = await mod.post(path(alice, `/${reversal}`))
    assert.deepEqual([undone.status, (undone.json as Record<string, unknown>)[member]], [200, false])
    assert.equal(await shown(), false)
    assert.equal((await alice.get('/api/v1/timelines/home')).status, 200)
    const again = await mod.post(path(alice, `/${reversal}`))
    assert.equal(again.status, reversal === 'unsuspend' ? 403 : 200)
    assert.deepEqual(await logOf(server, alice), [`${type} ${logged}`, `${reversal} ${logged}`])
  })
}

test('a suspension blocks the address until it is lifted; other blocks stay', async t => {
  const { server, alice, mod } = await setUp(t)
  const blocked = async (): Promise<number> =>
    (await sql(server, 'select from canonical_email_blocks where reference_account_id = $1', [alice.id])).length
  await post(mod, path(alice, '/action'), { type: 'suspend' })
  assert.equal(await blocked(), 1)
  await post(mod, path(alice, '/unsuspend'))
  assert.equal(await blocked(), 0)
  const remote = await far(server)
  await sql(server, `update accounts set suspended_at = now(), suspension_origin = 'remote' where id = $1`, [remote.id])
  assert.deepEqual(await post(mod, path(remote, '/unsuspend')), REFUSED)
  assert.deepEqual(await post(mod, path(remote, '/action'), { type: 'suspend' }), [200, {}])
  assert.equal((await mod.post(path(remote, '/unsuspend'))).status, 200)
  assert.deepEqual(await post(mod, path(remote, '/enable')), FORBIDDEN)
})

test('the data of a suspended account is deleted once, on request; name and address stay reserved', async t => {
  const { server, alice, bob, mod, admin } = await setUp(t)
  const remove = async (who: Person): Promise<unknown[]> => {
    const { status, json } = await who.delete(path(alice))
    return [status, json]
  }
  const { id } = await alice.postStatus('going')
  assert.deepEqual(await remove(admin), REFUSED)
  await post(mod, path(alice, '/action'), { type: 'suspend' })
  assert.deepEqual(await remove(mod), REFUSED)
  assert.deepEqual(await remove(admin), [200, {}])
  assert.deepEqual(await remove(admin), REFUSED)
  assert.deepEqual(await post(mod, path(alice, '/unsuspend')), REFUSED)
  await waitForEvent(server, `e.kind = 'account.deleted' and e.account_id = $1`, [alice.id])
  assert.deepEqual(await sql(server, 'select from statuses where id = $1', [id]), [])
  const [kept] = await sql(
    server,
    `select username, (select count(*)::int from canonical_email_blocks b where b.reference_account_id = a.id) as blocks
     from accounts a where id = $1`,
    [alice.id],
  )
  assert.deepEqual(kept, { username: alice.username, blocks: 1 })
  assert.deepEqual(await logOf(server, alice), ['suspend Account', 'purge Account'])
  assert.equal((await bob.get(`/api/v1/accounts/lookup?acct=${alice.username}`)).status, 404)
})

test('every action is a strike with the reported statuses, of which the account gets one e-mail', async t => {
  const mailbox = await startMailServer(t)
  const server = await startServer(t, { env: { SMTP_URL: mailbox.url } })
  const [bob, mod] = [await person(server, 'bob'), await staff(t, server, 1)]
  const strikes = (of: { id: string }): Promise<unknown[]> =>
    sql(
      server,
      `select action, text, coalesce(status_ids, '{}')::text[] as status_ids from account_warnings where target_account_id = $1`,
      [of.id],
    )
  const addresses: string[] = []
  for (const type of ['none', 'disable', 'sensitive', 'silence', 'suspend']) {
    const alice = await person(server, 'alice')
    const said = await alice.postStatus('something')
    // Addresses are recorded some time after their use.
    const seen = async (): Promise<object> => ({ ...((await mod.get(path(alice))).json as object), ip: null, ips: [] })
    const before = await seen()
    const filed = await bob.post('/api/v1/reports', { account_id: alice.id, status_ids: [said.id] })
    const { id: report } = filed.json as { id: string }
    const body = { type, report_id: report, text: 'a word', send_email_notification: true }
    assert.deepEqual(await post(mod, path(alice, '/action'), body), [200, {}])
    assert.deepEqual(await strikes(alice), [{ action: type, text: 'a word', status_ids: [said.id] }])
    if (type === 'none') assert.deepEqual(await seen(), before, 'nothing else changes')
    const remote = await far(server)
    if (type !== 'disable') {
      assert.deepEqual(await post(mod, path(remote, '/action'), { type, text: 'far' }), [200, {}])
      assert.deepEqual(await strikes(remote), [{ action: type, text: 'far', status_ids: [] }])
    }
    addresses.push(`${alice.username}@example.com`)
  }
  for (const address of addresses) assert.match((await mailbox.email(address, /./)).text, /a word/)
  await post(mod, path(bob, '/action'), { type: 'none', text: 'the end' })
  await mailbox.email(`${bob.username}@example.com`, /./)
  assert.deepEqual(
    addresses.map(address => mailbox.count(address)),
    [1, 1, 1, 1, 1],
  )
})

test('moderators who manage reports but not users take no action on accounts', async t => {
  const { server, alice } = await setUp(t)
  const [role] = await sql(
    server,
    `insert into roles (name, position, permissions) values ('Reports', 20, permission('manage_reports')) returning id`,
  )
  const reader = await staff(t, server, Number(role?.['id']))
  for (const type of ['none', 'disable', 'sensitive', 'silence', 'suspend'])
    assert.deepEqual(await post(reader, path(alice, '/action'), { type }), REFUSED, type)
})

test('moderators who do not manage reports leave them open, and cannot resolve one', async t => {
  const { server, alice, bob } = await setUp(t)
  const [role] = await sql(
    server,
    `insert into roles (name, position, permissions) values ('Users', 20, permission('manage_users')) returning id`,
  )
  const manager = await staff(t, server, Number(role?.['id']))
  const { id: report } = (await bob.post('/api/v1/reports', { account_id: alice.id })).json as { id: string }
  assert.deepEqual(await post(manager, path(alice, '/action'), { type: 'none', report_id: report }), REFUSED)
  for (const type of ['sensitive', 'silence', 'disable', 'suspend'])
    assert.deepEqual(await post(manager, path(alice, '/action'), { type }), [200, {}], type)
  const open = await sql(server, 'select from reports where id = $1 and action_taken_at is null', [report])
  assert.equal(open.length, 1)
})
