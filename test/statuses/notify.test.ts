import assert from 'node:assert/strict'
import { test } from 'tap'
import { compareIds } from '../../src/core/id.ts'
import { people, sql, type Person } from '../support/people.ts'
import type { TestServer } from '../support/server.ts'
import { entity, relate, sorted, tell, waitFor } from './status_fixtures.ts'

const notificationsOf = (server: TestServer, who: Person): Promise<Record<string, unknown>[]> =>
  sql(server, 'select type, status_id::text as status, filtered from notifications where account_id = $1 order by id', [
    who.id,
  ])

const conversationsOf = (server: TestServer, who: Person): Promise<Record<string, unknown>[]> =>
  sql(
    server,
    `select participant_account_ids::text[] as others, status_ids::text[] as statuses, last_status_id::text as last, unread
     from account_conversations where account_id = $1 order by id`,
    [who.id],
  )

test('followers with new-post notifications receive them, by the rules of the home feed', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  await tell(
    server,
    `insert into follows (account_id, target_account_id, notify, languages) values ($1, $2, true, '{de,fr}')`,
    [bob.id, alice.id],
  )
  const root = await carol.postStatus('root')
  const german = await alice.postStatus('Guten Tag', { language: 'de' })
  await alice.postStatus('Hello', { language: 'en' })
  await alice.postStatus('Antwort', { language: 'de', in_reply_to_id: root.id })
  const own = await alice.postStatus('weiter', { language: 'de', in_reply_to_id: german.id })
  await alice.postStatus('nur für mich', { language: 'de', visibility: 'direct' })
  await alice.post(`/api/v1/statuses/${root.id}/reblog`)
  assert.deepEqual(
    (await notificationsOf(server, bob)).map(one => [one['type'], one['status']]),
    [
      ['status', german.id],
      ['status', own.id],
    ],
  )
  await relate(server, 'mutes', bob, carol)
  await alice.postStatus(`mit @${carol.username}`, { language: 'de' })
  assert.equal((await notificationsOf(server, bob)).length, 2)
})

test('a direct status enters the conversations of its participants', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  await relate(server, 'follows', bob, alice)
  const first = await alice.postStatus(`@${bob.username} @${carol.username} hi`, { visibility: 'direct' })
  const all = [alice.id, bob.id, carol.id].toSorted(compareIds)
  const others = (who: Person): string[] => all.filter(id => id !== who.id)
  assert.deepEqual(await conversationsOf(server, alice), [
    { others: others(alice), statuses: [first.id], last: first.id, unread: false },
  ])
  assert.deepEqual(await conversationsOf(server, bob), [
    { others: others(bob), statuses: [first.id], last: first.id, unread: true },
  ])
  assert.deepEqual(await conversationsOf(server, carol), [], 'the mention of a stranger was filtered')
  assert.deepEqual(await notificationsOf(server, carol), [{ type: 'mention', status: first.id, filtered: true }])
  const second = await bob.postStatus(`@${alice.username} @${carol.username} yes`, {
    visibility: 'direct',
    in_reply_to_id: first.id,
  })
  assert.deepEqual(await conversationsOf(server, bob), [
    { others: others(bob), statuses: [first.id, second.id], last: second.id, unread: false },
  ])
  assert.deepEqual(await conversationsOf(server, alice), [
    { others: others(alice), statuses: [first.id, second.id], last: second.id, unread: true },
  ])
  const told = await sql(
    server,
    `select account_id::text as who from events where kind = 'conversation.changed' and status_id = $1`,
    [second.id],
  )
  assert.deepEqual(sorted(told.map(one => one['who'])), sorted([alice.id, bob.id]))

  await bob.delete(`/api/v1/statuses/${second.id}`)
  assert.deepEqual((await conversationsOf(server, alice))[0]?.['statuses'], [first.id])
  assert.deepEqual((await conversationsOf(server, alice))[0]?.['last'], first.id)
  await alice.delete(`/api/v1/statuses/${first.id}`)
  assert.deepEqual(await conversationsOf(server, alice), [])
})

test('a direct status without mentions is a conversation with oneself', async t => {
  const { alice, server } = await people(t, 'alice')
  const note = await alice.postStatus('remember', { visibility: 'direct' })
  assert.deepEqual(await conversationsOf(server, alice), [
    { others: [], statuses: [note.id], last: note.id, unread: false },
  ])
  assert.equal(entity(note['account'])['statuses_count'], 0)
})

test('the event of a new status carries the facts that feeds decide by', async t => {
  const { alice, bob, server } = await people(t, 'alice', 'bob')
  const root = await bob.postStatus('root')
  const status = await alice.postStatus(`@${bob.username} #Tag`, { in_reply_to_id: root.id, language: 'fr' })
  const boost = entity((await bob.post(`/api/v1/statuses/${status.id}/reblog`, { visibility: 'unlisted' })).json)
  const told = await sql(
    server,
    `select data from events where kind = 'status.created' and status_id = any ($1) order by id`,
    [[status.id, boost.id]],
  )
  const [conversation] = await sql(server, 'select conversation_id::text as id from statuses where id = $1', [root.id])
  const [counted] = await sql(
    server,
    `select statuses_count::integer as statuses, (extract(epoch from last_status_at) * 1000000)::bigint::float8 as last_status_us
     from account_stats where account_id = $1`,
    [alice.id],
  )
  const common = { local: true, domain: null, silenced: false, silent_mentions: [], has_media: false }
  assert.deepEqual(told[0]?.['data'], {
    ...common,
    visibility: 'public',
    language: 'fr',
    reblog_of_id: null,
    reblog_account_id: null,
    reblog_domain: null,
    in_reply_to_id: root.id,
    in_reply_to_account_id: bob.id,
    conversation_id: conversation?.['id'],
    mentions: [bob.id],
    tags: ['tag'],
    reblog_mentions: [],
    author_counts: counted,
  })
  assert.deepEqual(told[1]?.['data'], {
    ...common,
    visibility: 'unlisted',
    language: null,
    reblog_of_id: status.id,
    reblog_account_id: alice.id,
    reblog_domain: null,
    in_reply_to_id: null,
    in_reply_to_account_id: null,
    conversation_id: null,
    mentions: [],
    tags: [],
    reblog_mentions: [bob.id],
  })
})

test('a job notifies many followers, each once', async t => {
  const { alice, server } = await people(t, 'alice')
  await tell(
    server,
    `with fan as (insert into accounts (username) select 'fan_' || $1 || '_' || n from generate_series(1, 230) n returning id)
     insert into follows (account_id, target_account_id, notify) select fan.id, $1::bigint, true from fan`,
    [alice.id],
  )
  const count = async (): Promise<unknown> =>
    (
      await sql(
        server,
        `select count(*)::integer as n from notifications where from_account_id = $1 and type = 'status'`,
        [alice.id],
      )
    )[0]?.['n']
  await alice.postStatus('to all of you')
  await waitFor(server, async () => (await count()) === 230, 'the notifications of 230 followers')
})

test('boosters and quoters are told of an edit once, though the job was interrupted', async t => {
  const { alice, bob, carol, server } = await people(t, 'alice', 'bob', 'carol')
  const { id } = await alice.postStatus('first', { quote_approval_policy: 'public' })
  await bob.post(`/api/v1/statuses/${id}/reblog`)
  await carol.postStatus('see', { quoted_status_id: id })
  const fans = `with fans as (
      insert into accounts (username) select 'fan' || n || '_' || $2::text from generate_series(1, 150) n returning id
    )
    insert into statuses (account_id, reblog_of_id, visibility) select fans.id, $1, 'public' from fans returning account_id::text as id`
  const boosters = await sql(server, fans, [id, alice.id])
  await tell(
    server,
    `insert into quotes (status_id, account_id, quoted_status_id, quoted_account_id, state)
     select b.id, b.account_id, $1, $2, 'accepted' from statuses b where b.reblog_of_id = $1 and b.account_id <> $3`,
    [id, alice.id, bob.id],
  )
  await tell(
    server,
    `create function refuse_last() returns trigger language plpgsql as $$
       begin raise 'refused'; end $$;
     create trigger refused before insert on notifications for each row
     when (new.account_id = ${String(boosters.at(-1)?.['id'])}) execute function refuse_last()`,
  )
  const jobs = `select id, attempts, locked_at is null as free from graphile_worker.jobs where task_identifier = 'statuses.notify'`
  const streams = await Promise.all([bob, carol].map(one => one.stream('user:notification')))
  await alice.put(`/api/v1/statuses/${id}`, { status: 'second' })
  const failed = async (): Promise<boolean> => {
    const rows = await sql(server, jobs)
    return rows.length === 2 && rows.every(({ attempts, free }) => attempts === 1 && free === true)
  }
  await waitFor(server, failed, 'the failure of both jobs')
  await tell(server, 'drop function refuse_last cascade')
  await tell(
    server,
    `with due as (select graphile_worker.reschedule_jobs(array_agg(j.id), run_at => now()) from (${jobs}) j)
     select count(*), pg_notify('jobs:insert', '{"count": 2}') from due`,
  )
  await waitFor(server, async () => (await sql(server, jobs)).length === 0, 'the end of both jobs')
  await alice.put(`/api/v1/statuses/${id}`, { status: 'third' })
  await waitFor(server, async () => (await sql(server, jobs)).length === 0, 'the end of the second edit')
  const told = await sql(
    server,
    `select n.type, count(*)::integer as number from notifications n
     where n.from_account_id = $1 and n.type in ('update', 'quoted_update') group by n.type order by n.type`,
    [alice.id],
  )
  assert.deepEqual(told, [
    { type: 'quoted_update', number: 151 },
    { type: 'update', number: 151 },
  ])
  for (const [index, one] of [bob, carol].entries()) {
    await alice.post(`/api/v1/accounts/${one.id}/follow`)
    const received = await streams[index]?.upTo('notification', ({ payload }) => entity(payload)['type'] === 'follow')
    const type = one === bob ? 'update' : 'quoted_update'
    assert.deepEqual(
      received?.map(({ payload }) => entity(payload)['type']),
      [type, type, 'follow'],
    )
  }
})
