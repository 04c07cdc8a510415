import assert from 'node:assert/strict'
import { test } from 'tap'
import { Client, type ClientResponse } from '../../support/client.ts'
import { makeToken, people, person, sql, type Person } from '../../support/people.ts'
import type { TestServer } from '../../support/server.ts'
import { commandLine } from '../moderation_fixtures.ts'

interface Report {
  id: string
  action_taken: boolean
  category: string
  comment: string
  forwarded: boolean | null
  status_ids: string[]
  rule_ids: string[] | null
  collection_ids: string[]
  target_account: { id: string }
}

const report = (who: Client, body: object): Promise<ClientResponse> => who.post('/api/v1/reports', body)

async function reported(who: Client, body: object): Promise<Report> {
  const response = await report(who, body)
  assert.equal(response.status, 200, response.text)
  return response.json as Report
}

async function refused(who: Client, body: object, status: number, error: string): Promise<void> {
  const response = await report(who, body)
  assert.deepEqual([response.status, response.json], [status, { error }])
}

const NOT_FOUND = 'Record not found'

async function addRule(server: TestServer): Promise<string> {
  const [rule] = await sql(server, `insert into rules (text) values ('be kind') returning id::text`)
  return String(rule?.['id'])
}

const remote = (server: TestServer, domain: string): Promise<Person> =>
  person(server, 'far', { account: { domain, uri: `https://${domain}/${Math.random()}` } })

test('a report returns its entity and stores the reporter and the application', async t => {
  const { server, alice, bob } = await people(t, 'alice', 'bob')
  const made = await reported(alice, { account_id: bob.id, comment: 'not nice' })
  const { id, created_at, target_account: target, ...facts } = made as Report & { created_at: string }
  assert.deepEqual(facts, {
    action_taken: false,
    action_taken_at: null,
    category: 'other',
    comment: 'not nice',
    forwarded: false,
    status_ids: [],
    rule_ids: null,
    collection_ids: [],
  })
  assert.match(created_at, /^\d{4}-.*\.\d{3}Z$/)
  assert.equal(target.id, bob.id)
  const [stored] = await sql(
    server,
    'select r.account_id::text, r.target_account_id::text, r.application_id is not null as sent_by from reports r where r.id = $1',
    [id],
  )
  assert.deepEqual(stored, { account_id: alice.id, target_account_id: bob.id, sent_by: true })
})

test('categories are stored, and rules make the category a violation and must exist or have existed', async t => {
  const { server, alice, bob } = await people(t, 'alice', 'bob')
  const rule = await addRule(server)
  const wrong = 'Validation failed: Rule ids does not reference valid rules'
  for (const category of ['spam', 'legal', 'other'])
    assert.equal((await reported(alice, { account_id: bob.id, category })).category, category)
  const broken = await reported(alice, { account_id: bob.id, category: 'spam', rule_ids: [rule] })
  assert.deepEqual([broken.category, broken.rule_ids], ['violation', [rule]])
  assert.equal((await reported(alice, { account_id: bob.id, category: 'spam', rule_ids: [] })).category, 'spam')
  for (const rules of [['999999999'], ['x'], [rule, '999999999']])
    await refused(alice, { account_id: bob.id, rule_ids: rules }, 422, wrong)
  await refused(alice, { account_id: bob.id, category: 'violation' }, 422, wrong)
  await sql(server, 'update rules set deleted_at = now() where id = $1', [rule])
  assert.deepEqual((await reported(alice, { account_id: bob.id, rule_ids: [rule] })).rule_ids, [rule])
  const unknown = 'Validation failed: Category is not included in the list'
  await refused(alice, { account_id: bob.id, category: 'boring' }, 422, unknown)
})

test('a comment has at most 1,000 characters', async t => {
  const { alice, bob } = await people(t, 'alice', 'bob')
  assert.equal((await reported(alice, { account_id: bob.id, comment: '🦬'.repeat(1000) })).comment.length, 2000)
  const error = 'Validation failed: Comment is too long (maximum is 1000 characters)'
  await refused(alice, { account_id: bob.id, comment: 'x'.repeat(1001) }, 422, error)
  await refused(alice, { account_id: '1', comment: 'x'.repeat(1001) }, 404, NOT_FOUND)
})

test('reported statuses belong to the account and were visible to the reporter', async t => {
  const { alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  const open = await bob.postStatus('loud')
  const deleted = await bob.postStatus('gone')
  const whispered = await bob.postStatus(`@${alice.username} psst`, { visibility: 'direct' })
  const secret = await bob.postStatus(`@${carol.username} psst`, { visibility: 'direct' })
  const other = await carol.postStatus('mine')
  await bob.delete(`/api/v1/statuses/${deleted.id}`)
  const ids = [open.id, deleted.id, whispered.id]
  const made = await reported(alice, { account_id: bob.id, status_ids: ids })
  assert.deepEqual(made.status_ids, ids)
  for (const wrong of [secret.id, other.id, '1', 'x'])
    await refused(alice, { account_id: bob.id, status_ids: [open.id, wrong] }, 404, NOT_FOUND)
})

test('reported collections belong to the account', async t => {
  const { server, alice, bob, carol } = await people(t, 'alice', 'bob', 'carol')
  const collect = async (who: Person): Promise<string> => {
    const [made] = await sql(
      server,
      `insert into collections (account_id, name, sensitive, discoverable) values ($1, 'people', false, true) returning id::text`,
      [who.id],
    )
    return String(made?.['id'])
  }
  const [own, other] = [await collect(bob), await collect(carol)]
  const made = await reported(alice, { account_id: bob.id, collection_ids: [own] })
  assert.deepEqual(made.collection_ids, [own])
  await refused(alice, { account_id: bob.id, collection_ids: [own, other] }, 404, NOT_FOUND)
})

test('suspended, unconfirmed and unknown accounts cannot be reported', async t => {
  const { server, alice } = await people(t, 'alice')
  const suspended = await person(server, 'gone', { account: { suspended_at: new Date() } })
  const waiting = await person(server, 'waiting', { user: { confirmed_at: null } })
  for (const id of ['1', 'x', undefined, suspended.id, waiting.id])
    await refused(alice, { account_id: id }, 404, NOT_FOUND)
})

test('a report is forwarded to the chosen servers of remote accounts only', async t => {
  const { server, alice, bob } = await people(t, 'alice', 'bob')
  const [target, answered] = [await remote(server, 'far.example'), await remote(server, 'other.example')]
  const [status] = await sql(
    server,
    `insert into statuses (account_id, local, uri, visibility, in_reply_to_account_id)
     values ($1::bigint, false, 'https://far.example/' || $1::text, 'public', $2) returning id::text`,
    [target.id, answered.id],
  )
  const tried = async (body: object): Promise<unknown> => {
    const made = await reported(alice, { account_id: target.id, status_ids: [status?.['id']], ...body })
    const [stored] = await sql(server, 'select forwarded_to from reports where id = $1', [made.id])
    return [made.forwarded, stored?.['forwarded_to']]
  }
  assert.deepEqual(await tried({}), [null, []])
  assert.deepEqual(await tried({ forward: false }), [false, []])
  assert.deepEqual(await tried({ forward: true }), [true, ['far.example']])
  assert.deepEqual(await tried({ forward: true, forward_to_domains: ['Other.example'] }), [false, ['other.example']])
  assert.deepEqual(await tried({ forward: true, forward_to_domains: ['far.example', 'other.example', 'x.example'] }), [
    true,
    ['far.example', 'other.example'],
  ])
  assert.deepEqual(await tried({ forward: true, forward_to_domains: [] }), [false, []])
  assert.equal((await reported(alice, { account_id: bob.id, forward: true })).forwarded, false)
})

test('reporting needs the scope write:reports', async t => {
  const { server, alice, bob } = await people(t, 'alice', 'bob')
  const reader = new Client(server, await makeToken(server, alice.userId, ['read']))
  await refused(reader, { account_id: bob.id }, 403, 'This action is outside the authorized scopes')
  const writer = new Client(server, await makeToken(server, alice.userId, ['write:reports']))
  await reported(writer, { account_id: bob.id })
})

test('a reported and deleted status is stored while the report is open', async t => {
  const { server, alice, bob } = await people(t, 'alice', 'bob')
  const status = await bob.postStatus('unkind')
  const made = await reported(alice, { account_id: bob.id, status_ids: [status.id] })
  await bob.delete(`/api/v1/statuses/${status.id}`)
  const isStored = async (): Promise<unknown> =>
    (await sql(server, 'select is_evidence(s) as stored from statuses s where s.id = $1', [status.id]))[0]?.['stored']
  assert.equal(await isStored(), true)
  assert.equal((await alice.get(`/api/v1/statuses/${status.id}`)).status, 404)
  await sql(server, 'update reports set action_taken_at = now() where id = $1', [made.id])
  assert.equal(await isStored(), false)
})

test('a deleted status that a strike names is stored while the strike can be appealed', async t => {
  const { server, alice, bob } = await people(t, 'alice', 'bob')
  const ctl = await commandLine(t, server)
  const status = await bob.postStatus('unkind')
  const made = await reported(alice, { account_id: bob.id, status_ids: [status.id] })
  await bob.delete(`/api/v1/statuses/${status.id}`)
  await ctl('moderation', 'act', bob.username, 'silence', '--report', made.id)
  const isStored = async (): Promise<unknown> =>
    (await sql(server, 'select is_evidence(s) as stored from statuses s where s.id = $1', [status.id]))[0]?.['stored']
  assert.equal(await isStored(), true)
  await sql(server, `update account_warnings set created_at = now() - interval '31 days'`)
  assert.equal(await isStored(), false)
})
