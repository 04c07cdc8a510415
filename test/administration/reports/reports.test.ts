import assert from 'node:assert/strict'
import { test, type Test } from 'tap'
import { Client } from '../../support/client.ts'
import { makeToken, person, people, sql, type Person } from '../../support/people.ts'
import { startServer } from '../../support/server.ts'

const PATH = '/api/v1/admin/reports'

interface Report {
  id: string
  action_taken: boolean
  action_taken_at: string | null
  category: string
  comment: string
  account: { id: string; account: { id: string } }
  target_account: { id: string }
  assigned_account: { id: string } | null
  action_taken_by_account: { id: string } | null
  statuses: { id: string; content: string }[]
  rules: { id: string; text: string }[]
}

const file = async (who: Person, whom: Person, more: Record<string, unknown> = {}): Promise<string> => {
  const response = await who.post('/api/v1/reports', { account_id: whom.id, ...more })
  assert.equal(response.status, 200, response.text)
  return (response.json as { id: string }).id
}

async function setUp(t: Test) {
  const { server, alice, bob } = await people(t, 'alice', 'bob')
  const mod = await person(server, 'mod', { roleId: 1 })
  t.after(() => mod.close())
  return { server, alice, bob, mod }
}

const read = async (who: Person, id: string): Promise<Report> => (await who.get(`${PATH}/${id}`)).json as Report

test('lists have filters, and pages in both directions', async t => {
  const server = await startServer(t)
  const [alice, bob, carol] = [await person(server, 'a'), await person(server, 'b'), await person(server, 'c')]
  const mod = await person(server, 'mod', { roleId: 1 })
  const ids = async (query: Record<string, string> = {}): Promise<string[]> =>
    ((await mod.get(PATH, query)).json as Report[]).map(({ id }) => id)
  assert.deepEqual(await ids(), [])
  const [one, two, three] = [await file(alice, bob), await file(carol, bob), await file(alice, carol)]
  assert.equal((await mod.post(`${PATH}/${two}/resolve`)).status, 200)
  for (const [query, expected] of [
    [{}, [three, one]],
    [{ unresolved: 'true' }, [three, one]],
    [{ resolved: 'true' }, [two]],
    [{ resolved: 'true', unresolved: 'true' }, [three, two, one]],
    [{ account_id: alice.id }, [three, one]],
    [{ account_id: carol.id }, []],
    [{ account_id: carol.id, resolved: 'true' }, [two]],
    [{ target_account_id: bob.id }, [one]],
    [{ target_account_id: '999999' }, []],
    [{ limit: '1' }, [three]],
    [{ min_id: one, resolved: 'true', unresolved: 'true', limit: '1' }, [two]],
    [{ max_id: three }, [one]],
  ] as const) {
    assert.deepEqual(await ids(query), expected, JSON.stringify(query))
  }
  const { headers } = await mod.get(PATH, { limit: '1', account_id: alice.id })
  const link = headers.get('link') ?? ''
  for (const rel of [`max_id=${three}>; rel="next"`, `min_id=${three}>; rel="prev"`])
    assert.ok(link.includes(`${PATH}?account_id=${alice.id}&limit=1&${rel}`), link)
})

test('a report is rendered with accounts, rules and statuses, also private and deleted ones', async t => {
  const { server, alice, bob, mod } = await setUp(t)
  await alice.follow(bob)
  const open = await bob.postStatus('a public status')
  const secret = await bob.postStatus('a private status', { visibility: 'private' })
  const [rule] = await sql(server, `insert into rules (text, deleted_at) values ('Be kind', now()) returning id::text`)
  const id = await file(alice, bob, {
    comment: 'rude',
    status_ids: [open.id, secret.id],
    rule_ids: [rule?.['id']],
  })
  assert.equal((await bob.delete(`/api/v1/statuses/${open.id}`)).status, 200)
  const report = await read(mod, id)
  assert.deepEqual(Object.keys(report).toSorted(), [
    'account',
    'action_taken',
    'action_taken_at',
    'action_taken_by_account',
    'assigned_account',
    'category',
    'comment',
    'created_at',
    'forwarded',
    'id',
    'rules',
    'statuses',
    'target_account',
    'updated_at',
  ])
  assert.deepEqual([report.category, report.comment, report.action_taken], ['violation', 'rude', false])
  assert.equal(report.account.id, alice.id)
  assert.equal(report.account.account.id, alice.id)
  assert.equal(report.target_account.id, bob.id)
  assert.deepEqual(
    report.statuses.map(status => status.id),
    [secret.id, open.id],
  )
  assert.match(report.statuses[1]?.content ?? '', /a public status/)
  assert.deepEqual(
    report.rules.map(({ text }) => text),
    ['Be kind'],
  )
  await sql(server, 'update accounts set suspended_at = now() where id = $1', [bob.id])
  assert.equal((await read(mod, id)).statuses.length, 2)
})

test('each change has one entry in the log, and one event', async t => {
  const { server, alice, bob, mod } = await setUp(t)
  const id = await file(alice, bob)
  const change = async (name: string): Promise<Report> => {
    const { status, json } = await mod.post(`${PATH}/${id}/${name}`)
    assert.equal(status, 200)
    return json as Report
  }
  assert.equal((await change('assign_to_self')).assigned_account?.id, mod.id)
  assert.equal((await change('unassign')).assigned_account, null)
  const resolved = await change('resolve')
  assert.deepEqual([resolved.action_taken, resolved.action_taken_by_account?.id], [true, mod.id])
  assert.match(resolved.action_taken_at ?? '', /^\d{4}-/)
  const reopened = await change('reopen')
  assert.deepEqual(
    [reopened.action_taken, reopened.action_taken_at, reopened.action_taken_by_account],
    [false, null, null],
  )
  for (const method of ['put', 'patch'] as const) {
    const category = method === 'put' ? 'spam' : 'legal'
    const { status, json } = await mod[method](`${PATH}/${id}`, { category })
    assert.deepEqual([status, (json as Report).category], [200, category])
  }
  const log = await sql(
    server,
    `select action, account_id::text from admin_action_logs where target_type = 'Report' and target_id = $1 order by id`,
    [id],
  )
  const actions = ['assigned_to_self', 'unassigned', 'resolve', 'reopen', 'update', 'update']
  assert.deepEqual(
    log,
    actions.map(action => ({ action, account_id: mod.id })),
  )
  const events = await sql(server, `select from events where kind = 'report.updated' and object_id = $1`, [id])
  assert.equal(events.length, actions.length)
})

test('rules belong to violations', async t => {
  const { server, alice, bob, mod } = await setUp(t)
  const id = await file(alice, bob)
  const [rule] = await sql(server, `insert into rules (text, deleted_at) values ('gone', now()) returning id::text`)
  const put = async (body: Record<string, unknown>): Promise<unknown[]> => {
    const { status, json } = await mod.put(`${PATH}/${id}`, body)
    return [status, status === 200 ? (json as Report).rules.map(({ text }) => text) : json]
  }
  const invalid = (text: string) => [422, { error: `Validation failed: ${text}` }]
  assert.deepEqual(await put({ category: 'rude' }), invalid('Category is not included in the list'))
  assert.deepEqual(await put({ category: 'spam', rule_ids: [rule?.['id']] }), invalid('Rule ids must be blank'))
  assert.deepEqual(await put({ rule_ids: [rule?.['id']] }), invalid('Rule ids must be blank'))
  const wrong = invalid('Rule ids does not reference valid rules')
  assert.deepEqual(await put({ category: 'violation', rule_ids: ['999999'] }), wrong)
  assert.deepEqual(await put({ category: 'violation', rule_ids: ['x'] }), wrong)
  assert.deepEqual(await put({ category: 'violation' }), wrong)
  assert.deepEqual(await put({ category: 'violation', rule_ids: [rule?.['id']] }), [200, ['gone']])
  assert.deepEqual(await put({}), [200, ['gone']])
  assert.deepEqual(await put({ category: 'other' }), [200, []])
})

test('the scope is checked first, then the record, then the permission', async t => {
  const { server, alice, bob, mod } = await setUp(t)
  const id = await file(alice, bob)
  const refused = { error: 'This action is not allowed' }
  assert.deepEqual((await new Client(server).get(PATH)).json, refused)
  assert.deepEqual((await alice.get(PATH)).json, refused)
  assert.deepEqual((await alice.get(`${PATH}/${id}`)).json, refused)
  assert.equal((await alice.get(`${PATH}/999999`)).status, 404)
  const reader = new Client(server, await makeToken(server, mod.userId, ['admin:read']))
  assert.equal((await reader.get(`${PATH}/${id}`)).status, 200)
  for (const name of ['assign_to_self', 'unassign', 'resolve', 'reopen']) {
    assert.deepEqual((await alice.post(`${PATH}/${id}/${name}`)).json, refused)
    assert.equal((await mod.post(`${PATH}/999999/${name}`)).status, 404)
    const response = await reader.post(`${PATH}/${id}/${name}`)
    assert.deepEqual(response.json, { error: 'This action is outside the authorized scopes' })
  }
})
