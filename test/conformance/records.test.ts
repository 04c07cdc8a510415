import assert from 'node:assert/strict'
import { test } from 'tap'
import { SCOPES } from '../../src/core/scopes.ts'
import { Client } from '../support/client.ts'
import { makeToken, people, person, sql, type Person } from '../support/people.ts'
import { recordLines, type RecordKind, type RecordLine } from './records.ts'
import { createWorld, type World } from './world.ts'

/*
 * Walks over the operations with a record in their path: missing ones, those of others, and those
 * of the staff. The lines of the contract about them are the same for many operations.
 */

const UNKNOWN = '999999999999'

const linesOf = (...kinds: RecordKind[]): readonly RecordLine[] =>
  recordLines.filter(({ kind }) => kinds.includes(kind))

/** Calls the operation of a line with these records, and says where the response is another. */
async function faultsOf(
  client: Client,
  who: string,
  { id, text, operation }: RecordLine,
  records: readonly string[],
): Promise<string[]> {
  const left = [...records]
  const path = operation.path.replace(/:\w+/g, () => left.shift() ?? UNKNOWN)
  // The one parameter that is required beside the record.
  const body = path.endsWith('/keywords') && operation.method === 'POST' ? { keyword: 'tapir' } : undefined
  const response = await client.request(operation.method, path, { body })
  const { json } = response
  const error = typeof json === 'object' && json !== null && 'error' in json ? String(json.error) : ''
  const found = `${response.status} ${error}`
  return found === text ? [] : [`${id} ${who}: ${found}; the contract says ${text}`]
}

const post = async (who: Person, path: string, body: object): Promise<{ id: string }> => {
  const { status, text, json } = await who.post(path, body)
  if (status !== 200) throw new Error(`${path}: ${status} ${text}`)
  return json as { id: string }
}

/** Ids of alice's records, by the path that leads to one. */
async function ownRecords({
  alice,
  bob,
  list,
  notification,
  request,
  server,
  status,
}: World): Promise<Record<string, string>> {
  const filter = await post(alice, '/api/v2/filters', { title: 'f', context: ['home'] })
  const keyword = await post(alice, `/api/v2/filters/${filter.id}/keywords`, { keyword: 'tapir' })
  const hidden = await post(alice, `/api/v2/filters/${filter.id}/statuses`, { status_id: status })
  await bob.postStatus(`@${alice.username} psst`, { visibility: 'direct' })
  const [conversation] = await sql(server, 'select id::text from account_conversations where account_id = $1', [
    alice.id,
  ])
  return {
    '/api/v2/filters': filter.id,
    '/api/v2/filters/keywords': keyword.id,
    '/api/v2/filters/statuses': hidden.id,
    '/api/v1/filters': keyword.id,
    '/api/v1/conversations': String(conversation?.['id']),
    '/api/v1/notifications/requests': request,
    '/api/v1/notifications': notification,
    '/api/v1/lists': list,
    '/api/v1/timelines/list': list,
  }
}

/** Ids of records of the staff, by the path that leads to one. */
async function staffRecords({ alice, blocked, server, status }: World): Promise<Record<string, string>> {
  const [card] = await sql(server, 'select id::text from preview_cards order by id limit 1')
  const [publisher] = await sql(
    server,
    `insert into link_publishers (domain) values ('news.example') on conflict (domain) do update set domain = excluded.domain
     returning id::text`,
  )
  const admin = '/api/v1/admin'
  return {
    [`${admin}/accounts`]: alice.id,
    [`${admin}/reports`]: blocked.report,
    [`${admin}/tags`]: blocked.tag,
    [`${admin}/domain_blocks`]: blocked.domain,
    [`${admin}/domain_allows`]: blocked.allow,
    [`${admin}/ip_blocks`]: blocked.network,
    [`${admin}/email_domain_blocks`]: blocked.emailDomain,
    [`${admin}/canonical_email_blocks`]: blocked.address,
    [`${admin}/trends/tags`]: blocked.tag,
    [`${admin}/trends/links`]: String(card?.['id']),
    [`${admin}/trends/links/publishers`]: String(publisher?.['id']),
    [`${admin}/trends/statuses`]: status,
  }
}

/** The id for the path of a line. @throws Error when the table above lacks it */
function recordFor(records: Readonly<Record<string, string>>, { id, operation }: RecordLine): string {
  const found = records[operation.path.replace(/\/:.*/, '')]
  if (found === undefined) throw new Error(`${id}: there is no record`)
  return found
}

test('records of others do not exist, like unknown ones', async t => {
  const world = await createWorld(t)
  const records = await ownRecords(world)
  const faults: string[] = []
  for (const line of linesOf('missing or of another')) {
    faults.push(...(await faultsOf(world.alice, 'unknown', line, [UNKNOWN])))
    faults.push(...(await faultsOf(world.bob, 'of another', line, [recordFor(records, line)])))
  }
  for (const line of linesOf('missing')) faults.push(...(await faultsOf(world.alice, 'unknown', line, [UNKNOWN])))
  assert.deepEqual(faults, [])
})

test('the records of the staff are sought first, then the permission', async t => {
  const world = await createWorld(t)
  const records = await staffRecords(world)
  const { alice, anonymous, owner, server } = world
  const application = new Client(server, await makeToken(server, null, SCOPES))
  const faults: string[] = []
  for (const line of linesOf('no record before permission'))
    for (const [who, client] of Object.entries({ alice, owner }))
      faults.push(...(await faultsOf(client, `unknown, by ${who}`, line, [UNKNOWN])))
  for (const line of linesOf('no permission for record'))
    for (const [who, client] of Object.entries({ alice, anonymous, application }))
      faults.push(...(await faultsOf(client, `by ${who}`, line, [recordFor(records, line)])))
  assert.deepEqual(faults, [])
})

test('accounts that are unknown, deleted or waiting do not exist', async t => {
  const { alice, server } = await people(t, 'alice')
  const leaving = await person(server, 'leaving', { account: { deletion_requested_at: new Date() } })
  const gone = await person(server, 'gone', {
    account: { deletion_requested_at: new Date(), suspended_at: new Date() },
  })
  await sql(server, 'delete from users where id = $1', [gone.userId])
  const unconfirmed = await person(server, 'unconfirmed', { account: { pending: true }, user: { confirmed_at: null } })
  const unapproved = await person(server, 'unapproved', { account: { pending: true }, user: { approved: false } })
  const faults: string[] = []
  for (const line of linesOf('no account', 'no account or waiting')) {
    const missing = { unknown: UNKNOWN, leaving: leaving.id, gone: gone.id }
    const waiting = { unconfirmed: unconfirmed.id, unapproved: unapproved.id }
    const all = line.kind === 'no account' ? missing : { ...missing, ...waiting }
    for (const [who, id] of Object.entries(all)) faults.push(...(await faultsOf(alice, who, line, [id])))
  }
  assert.deepEqual(faults, [])
})
