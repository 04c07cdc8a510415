import assert from 'node:assert/strict'
import { test } from 'tap'
import { becomes, openPair, type Pair } from '../../platform/settings/pair.ts'
import { sql } from '../../support/people.ts'
import type { ServerAddress } from '../../support/server.ts'

/* Rules for domains with much data: short transactions, which stop when the rule is lifted. */

const PICTURE = JSON.stringify({ key: 'site/a.png', static_key: 'site/a.png', type: 'image/png' })

/** Inserts accounts of a domain, each with some posts with a cached attachment. */
const fill = (server: ServerAddress, accounts: number, posts: number): Promise<unknown> =>
  sql(
    server,
    `with a as (
       insert into accounts (username, domain, uri, avatar)
       select 'a' || i, 'large.example', 'https://large.example/' || i, $3::jsonb from generate_series(1, $1::integer) i
       returning id
     ), c as (
       insert into account_stats (account_id) select id from a
     ), s as (
       insert into statuses (account_id, content, visibility, local, uri)
       select a.id, 'x', 'public', false, 'https://large.example/' || a.id || '/' || i from a, generate_series(1, $2::integer) i
       returning id, account_id
     ), n as (
       insert into status_stats (status_id) select id from s
     )
     insert into media_attachments (account_id, status_id, type, file_key, preview_key, file_bytes, preview_bytes, remote_url)
     select account_id, id, 'image', 'far/' || id, 'far/p' || id, 7, 8, 'https://large.example/' || id || '.png' from s`,
    [accounts, posts, PICTURE],
  )

/** Records how many rows of a table each statement changes. */
const watch = (server: ServerAddress, table: string, change: 'update' | 'delete'): Promise<unknown> =>
  sql(
    server,
    `create table if not exists seen_changes (number integer);
     create or replace function see_changes() returns trigger language plpgsql as
       'begin insert into seen_changes select count(*) from changed; return null; end';
     create trigger seen after ${change} on ${table} referencing old table as changed for each statement
     execute function see_changes()`,
  )

const largest = async (server: ServerAddress): Promise<number> =>
  Number((await sql(server, 'select max(number) as number from seen_changes'))[0]?.['number'])

const amountOf = (pair: Pair, what: string): (() => Promise<unknown>) => {
  const [server] = pair.servers
  return async () => Number((await sql(server, `select count(*) as amount from ${what}`))[0]?.['amount'])
}

test('files of a domain whose media are rejected are removed in small parts', async t => {
  const pair = await openPair(t)
  const [server] = pair.servers
  await fill(server, 3, 700)
  await watch(server, 'media_attachments', 'update')
  await pair.ctl('domains', 'block', 'large.example', '--severity', 'noop', '--reject-media')
  const cached = amountOf(pair, 'media_attachments where file_key is not null or preview_key is not null')
  await becomes(cached, 0, 'no file is cached')
  await becomes(amountOf(pair, 'accounts where avatar is not null'), 0, 'no picture')
  assert.ok((await largest(server)) <= 1000, `${await largest(server)} at once`)
  assert.equal(
    await amountOf(pair, 'media_attachments where file_bytes + preview_bytes > 0')(),
    0,
    'nothing is counted',
  )
  assert.equal(await amountOf(pair, `media_attachments where remote_url <> ''`)(), 2100)
})

test('emojis of a suspended domain are removed in small parts', async t => {
  const pair = await openPair(t)
  const [server] = pair.servers
  await sql(
    server,
    `insert into custom_emojis (shortcode, domain, image)
     select 'e' || i, 'large.example', $1::jsonb from generate_series(1, 2300) i`,
    [PICTURE],
  )
  await watch(server, 'custom_emojis', 'delete')
  await pair.ctl('domains', 'block', 'large.example', '--severity', 'suspend')
  await becomes(amountOf(pair, 'custom_emojis'), 0, 'no emoji')
  assert.ok((await largest(server)) <= 1000, `${await largest(server)} at once`)
})

test('follows of a suspended domain end in small parts, and each person is notified once', async t => {
  const pair = await openPair(t)
  const [server] = pair.servers
  const [alice, bob] = [await pair.person('alice'), await pair.person('bob')]
  await fill(server, 250, 0)
  await sql(
    server,
    `with others as (
       insert into accounts (username) select 'other' || i from generate_series(1, 5) i returning id
     ), counted as (
       insert into account_stats (account_id) select id from others
     )
     insert into follows (account_id, target_account_id)
     select one.a, one.b
     from accounts r
     cross join lateral (
       values ($1::bigint, r.id), (r.id, $1::bigint), ($2::bigint, r.id)
       union all
       select others.id, r.id from others
     ) one (a, b)
     where r.domain = 'large.example'`,
    [alice.id, bob.id],
  )
  await watch(server, 'follows', 'delete')
  await pair.ctl('domains', 'block', 'large.example', '--severity', 'suspend')
  await becomes(amountOf(pair, 'follows'), 0, 'no follow')
  await becomes(amountOf(pair, `graphile_worker.jobs where task_identifier = 'moderated_domains.apply'`), 0, 'the end')
  assert.ok((await largest(server)) <= 1000, `${await largest(server)} at once`)
  const notified = async ({ id }: { id: string }): Promise<unknown> =>
    sql(
      server,
      `select s.following_count, s.followers_count, (select count(*)::integer from severed_follows f where f.severance_id = s.id) as kept
       from notifications n join severances s on s.id = n.activity_id
       where n.account_id = $1 and n.type = 'severed_relationships'`,
      [id],
    )
  assert.deepEqual(await notified(alice), [{ following_count: 250, followers_count: 250, kept: 500 }])
  assert.deepEqual(await notified(bob), [{ following_count: 250, followers_count: 0, kept: 250 }])
})

test('a suspension that is lifted meanwhile deletes nothing more', async t => {
  const pair = await openPair(t)
  const [server] = pair.servers
  await fill(server, 3, 2)
  // The rule is lifted while the posts of the first account are deleted.
  await sql(
    server,
    `create function lift() returns trigger language plpgsql as 'begin delete from domain_blocks; return null; end';
     create trigger lifted after delete on statuses for each statement execute function lift()`,
  )
  await pair.ctl('domains', 'block', 'large.example', '--severity', 'suspend')
  await becomes(amountOf(pair, 'domain_blocks'), 0, 'the rule is lifted')
  await becomes(amountOf(pair, `graphile_worker.jobs where task_identifier = 'moderated_domains.apply'`), 0, 'the end')
  assert.equal(await amountOf(pair, 'statuses')(), 4)
  assert.equal(await amountOf(pair, 'accounts where avatar is not null')(), 3)
})
