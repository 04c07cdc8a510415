import assert from 'node:assert/strict'
import { test } from 'tap'
import { runHere } from '../../cli/command.ts'
import { entity, isThere, picture, until, upload } from '../../media/attachments/media_fixtures.ts'
import { people, person, sql, type Person } from '../../support/people.ts'
import type { ServerAddress } from '../../support/server.ts'

/** Tables whose rows moderators need after the removal. */
const RETAINED = ['users', 'account_stats', 'reports', 'account_warnings', 'appeals', 'canonical_email_blocks']

/** Columns that refer to accounts, by a foreign key or by their name. */
const REFERENCES = `
  select c.conrelid::regclass::text as "table", a.attname as "column", c.confdeltype = 'c' as owned
  from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
  where c.contype = 'f' and c.confrelid = 'accounts'::regclass and c.conparentid = 0
  union
  select a.attrelid::regclass::text, a.attname, true
  from pg_attribute a join pg_class t on t.oid = a.attrelid join pg_namespace n on n.oid = t.relnamespace
  where n.nspname = 'public' and t.relkind = 'r' and a.atttypid = 'bigint'::regtype and not a.attisdropped
    and a.attname ~ '(^|_)account_id$' and t.relname !~ '^events'
    and not exists (
      select from pg_constraint c where c.conrelid = a.attrelid and c.contype = 'f' and c.conkey = array[a.attnum]
    )
  order by 1, 2`

/** Counts the rows that refer to an account by table and column, without zeros. */
async function referring(server: ServerAddress, id: string): Promise<Record<string, number>> {
  const found: Record<string, number> = {}
  for (const { table, column, owned } of await sql(server, REFERENCES)) {
    if (owned !== true || RETAINED.includes(String(table))) continue
    const [row] = await sql(
      server,
      `select count(*)::integer as n from ${String(table)} where ${String(column)} = $1`,
      [id],
    )
    if (Number(row?.['n']) > 0) found[`${String(table)}.${String(column)}`] = Number(row?.['n'])
  }
  return found
}

const must = async (who: Person, method: string, path: string, body?: unknown) =>
  entity(await who.request(method, path, { body }))

/** Has alice, and bob about her, write to as many tables as the API allows. */
async function live(alice: Person, bob: Person): Promise<{ status: string; url: unknown }> {
  await alice.follow(bob)
  await bob.follow(alice)
  const file = entity(await upload(alice, 'v2', await picture(20, 20).png().toBuffer()))
  const status = await alice.postStatus(`hello @${bob.username} #removal`, { media_ids: [file.id] })
  const response = await bob.postStatus(`hi @${alice.username}`, { in_reply_to_id: status.id })
  const secret = await alice.postStatus(`psst @${bob.username}`, { visibility: 'direct' })
  await must(bob, 'POST', `/api/v1/statuses/${status.id}/reblog`)
  await must(bob, 'POST', `/api/v1/statuses/${status.id}/favourite`)
  for (const act of ['favourite', 'reblog', 'bookmark', 'mute'])
    await must(alice, 'POST', `/api/v1/statuses/${response.id}/${act}`)
  await must(alice, 'POST', `/api/v1/statuses/${status.id}/pin`)
  await must(alice, 'PUT', `/api/v1/statuses/${status.id}`, { status: 'edited', media_ids: [file.id] })
  const { poll } = (await bob.postStatus('?', { poll: { options: ['a', 'b'], expires_in: 3600 } })) as {
    poll?: { id: string }
  }
  await must(alice, 'POST', `/api/v1/polls/${poll?.id ?? ''}/votes`, { choices: [0] })
  await alice.postStatus('later', { scheduled_at: new Date(Date.now() + 3_600_000).toISOString() })
  for (const [one, other] of [
    [alice, bob],
    [bob, alice],
  ] as const) {
    await must(one, 'POST', `/api/v1/accounts/${other.id}/note`, { comment: 'x' })
    await must(one, 'POST', `/api/v1/accounts/${other.id}/endorse`)
    await must(one, 'POST', `/api/v1/accounts/${other.id}/mute`)
    const { id } = await must(one, 'POST', '/api/v1/lists', { title: 'l' })
    await must(one, 'POST', `/api/v1/lists/${id}/accounts`, { account_ids: [other.id] })
  }
  await must(alice, 'POST', '/api/v1/domain_blocks', { domain: 'bad.example' })
  await must(alice, 'POST', '/api/v2/filters', { title: 'f', context: ['home'] })
  await must(alice, 'POST', '/api/v1/tags/removal/follow')
  await must(alice, 'POST', '/api/v1/featured_tags', { name: 'removal' })
  await must(alice, 'POST', '/api/v1/markers', { home: { last_read_id: secret.id } })
  await must(alice, 'PATCH', '/api/v2/notifications/policy', { for_bots: 'drop' })
  await sql(
    alice.server,
    `insert into notification_permissions (account_id, from_account_id) values ($1, $2), ($2, $1) on conflict do nothing`,
    [alice.id, bob.id],
  )
  await sql(
    alice.server,
    `insert into severances (account_id, domain, kind) values ($1, 'x.example', 'domain_block')`,
    [alice.id],
  ).catch(() => [])
  return { status: status.id, url: file['url'] }
}

test('removing an account removes its rows from every table', async t => {
  const { alice, bob, anonymous, server } = await people(t, 'alice', 'bob')
  const before = await bob.postStatus('stays')
  const left = await live(alice, bob)
  await alice.postStatus('look', { quoted_status_id: before.id })
  const quoting = await bob.postStatus('see', { quoted_status_id: left.status })
  const quoteOf = async (reader: Pick<Person, 'get'>): Promise<unknown> =>
    entity(await reader.get(`/api/v1/statuses/${quoting.id}`))['quote']
  assert.notEqual(await quoteOf(bob), null)
  assert.notEqual(await quoteOf(anonymous), null)
  const traces = Object.keys(await referring(server, alice.id))
  assert.ok(traces.length >= 25, `she left traces in ${traces.length} places: ${traces.join(' ')}`)
  const stream = await bob.stream('user')
  await sql(server, `select graphile_worker.add_job('account_removal.remove', $1)`, [
    JSON.stringify({ account: alice.id, freesName: false }),
  ])
  const users = (): Promise<unknown[]> => sql(server, 'select id from users where account_id = $1', [alice.id])
  await until(users, rows => rows.length === 0, 'the removal')
  assert.deepEqual(await referring(server, alice.id), {})
  await stream.next('delete')
  assert.equal((await alice.get('/api/v1/accounts/verify_credentials')).status, 401)
  assert.equal((await anonymous.get(`/api/v1/accounts/${alice.id}`)).status, 404)
  assert.equal((await anonymous.get(`/api/v1/statuses/${left.status}`)).status, 404)
  await until(
    () => isThere(left.url),
    there => !there,
    'her file',
  )
  const own = await must(bob, 'GET', '/api/v1/accounts/verify_credentials')
  assert.deepEqual([own['followers_count'], own['following_count']], [0, 0])
  assert.equal(entity(await bob.get(`/api/v1/statuses/${before.id}`))['quotes_count'], 0)
  assert.deepEqual([await quoteOf(bob), await quoteOf(anonymous)], [null, null])
  const checked = await runHere(['check'], { DATABASE_URL: server.databaseUrl, DATA_DIR: server.config.dataDir })
  assert.deepEqual([checked.code, checked.out], [0, ''])
  const [row] = await sql(server, 'select username, note from accounts where id = $1', [alice.id])
  assert.deepEqual(row, { username: alice.username, note: '' })
})

test('posts of an open report are hidden, and stay for moderators until it is resolved', async t => {
  const { alice, bob, anonymous, server } = await people(t, 'alice', 'bob')
  const moderator = await person(server, 'moderator', { roleId: 1 })
  t.after(() => moderator.close())
  const [file, other] = [
    entity(await upload(alice, 'v2', await picture(20, 20).png().toBuffer())),
    entity(await upload(alice, 'v2', await picture(20, 20).png().toBuffer())),
  ]
  const bad = await alice.postStatus('bad', { media_ids: [file.id] })
  await alice.postStatus('fine', { media_ids: [other.id] })
  await must(bob, 'POST', `/api/v1/statuses/${bad.id}/reblog`)
  const answer = await bob.postStatus('no, it is not', { in_reply_to_id: bad.id })
  const report = await must(bob, 'POST', '/api/v1/reports', { account_id: alice.id, status_ids: [bad.id] })
  await sql(server, `select graphile_worker.add_job('account_removal.remove', $1)`, [
    JSON.stringify({ account: alice.id, freesName: false }),
  ])
  await until(
    () => sql(server, 'select id from users where account_id = $1', [alice.id]),
    rows => rows.length === 0,
    'the removal',
  )
  const kept = () =>
    sql(
      server,
      `select s.id::text, is_evidence(s) as evidence, m.id::text as file from statuses s
       left join media_attachments m on m.status_id = s.id where s.account_id = $1 and s.deleted_at is not null`,
      [alice.id],
    )
  assert.deepEqual(await kept(), [{ id: bad.id, evidence: true, file: file.id }])
  assert.deepEqual(await referring(server, alice.id), { 'media_attachments.account_id': 1, 'statuses.account_id': 1 })
  assert.equal((await bob.get(`/api/v1/statuses/${bad.id}`)).status, 404)
  const left = await must(bob, 'GET', `/api/v1/statuses/${answer.id}`)
  assert.deepEqual([left['in_reply_to_id'], left['in_reply_to_account_id']], [null, alice.id])
  for (const { url } of [file, other] as { url?: unknown }[])
    await until(
      () => isThere(url),
      there => !there,
      'the file',
    )
  const shown = await must(moderator, 'GET', `/api/v1/admin/reports/${report.id}`)
  assert.equal((shown['target_account'] as { id: string }).id, alice.id)
  assert.deepEqual(
    (shown['statuses'] as { id: string }[]).map(status => status.id),
    [bad.id],
  )
  const checked = await runHere(['check'], { DATABASE_URL: server.databaseUrl, DATA_DIR: server.config.dataDir })
  assert.deepEqual([checked.code, checked.out], [0, ''])
  await must(moderator, 'POST', `/api/v1/admin/reports/${report.id}/resolve`)
  assert.deepEqual(await kept(), [{ id: bad.id, evidence: false, file: file.id }])
  assert.equal((await anonymous.get(`/api/v1/accounts/${alice.id}`)).status, 404)
})

test('more boosts than a batch holds are removed in several batches, with one event each', async t => {
  const { alice, server } = await people(t, 'alice')
  const status = await alice.postStatus('popular')
  await sql(
    server,
    `with crowd as (
       insert into accounts (username) select 'crowd_' || i from generate_series(1, 2500) i returning id
     ), counted as (insert into account_stats (account_id, statuses_count) select crowd.id, 1 from crowd)
     insert into statuses (account_id, reblog_of_id, visibility) select crowd.id, $1, 'public' from crowd`,
    [status.id],
  )
  const ran = await runHere(['accounts', 'delete', alice.username], {
    DATABASE_URL: server.databaseUrl,
    DATA_DIR: server.config.dataDir,
  })
  assert.equal(ran.code, 0, ran.err)
  const [found] = await sql(
    server,
    `select (select count(*)::integer from statuses where reblog_of_id = $1) as boosts,
       (select count(*)::integer from events where kind = 'status.deleted' and data ->> 'reblog_of_id' = $1::text) as events,
       (select max(n)::integer from (select count(*) as n from events where kind = 'status.deleted' group by txid) one) as largest,
       (select count(*)::integer from account_stats c join accounts a on a.id = c.account_id where a.username like 'crowd_%' and c.statuses_count > 0) as wrong`,
    [status.id],
  )
  assert.deepEqual(
    { ...found, largest: Number(found?.['largest']) <= 1200 },
    { boosts: 0, events: 2500, largest: true, wrong: 0 },
  )
})
