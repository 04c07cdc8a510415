import assert from 'node:assert/strict'
import { test } from 'tap'
import { makeKey } from '../../../src/platform/storage/index.ts'
import { becomes, openPair } from '../../platform/settings/pair.ts'
import { Client } from '../../support/client.ts'
import { sql } from '../../support/people.ts'
import type { ServerAddress } from '../../support/server.ts'
import { waitForAllEventLogs } from '../../support/processes.ts'

/** Runs a daily job and waits for its end. */
async function runNow(server: ServerAddress, name: string): Promise<void> {
  await sql(server, `select graphile_worker.add_job($1, '{}', job_key => $1)`, [name])
  const waiting = (): Promise<unknown> =>
    sql(server, 'select last_error from graphile_worker.jobs where key = $1', [name])
  await becomes(waiting, [], name)
}

/** Inserts a remote status of some days ago with an attachment and a preview card. */
async function createRemoteStatus(server: ServerAddress, name: string, days: number): Promise<string> {
  const [made] = await sql(
    server,
    `with t as (select now() - make_interval(days => $2) as at),
     a as (insert into accounts (username, domain, uri) values ($1, 'far.example', 'https://far.example/' || $1) returning id),
     s as (
       insert into statuses (id, account_id, content, visibility, local, created_at)
       select snowflake_at(t.at), a.id, '<p>old</p>', 'public', false, t.at from a, t returning id
     ),
     n as (insert into status_stats (status_id) select s.id from s),
     m as (
       insert into media_attachments (account_id, status_id, type, file_key, preview_key, remote_url, created_at)
       select a.id, s.id, 'image', $3, null, 'https://far.example/1.png', t.at from a, s, t returning id
     ),
     k as (
       insert into preview_cards (url, type, title, image_key, fetched_at)
       select 'https://page.example/' || $1, 'link', 'A page', $4, t.at from t returning id, url
     ),
     l as (insert into preview_cards_statuses (preview_card_id, status_id, url) select k.id, s.id, k.url from k, s)
     select s.id::text, m.id::text as media from s, m`,
    [name, days, makeKey('media', 'png'), makeKey('cards', 'png')],
  )
  await sql(server, 'update statuses set media_attachment_ids = array[$1::bigint] where id = $2', [
    made?.['media'],
    made?.['id'],
  ])
  return String(made?.['id'])
}

interface Shown {
  media_attachments: { url: string }[]
  card: { image: string | null } | null
}

/** Whether attachment and card image are remote or missing; null when the status is removed. */
async function copies(client: Client, id: string): Promise<unknown> {
  const { status, json } = await client.get(`/api/v1/statuses/${id}`)
  if (status === 404) return null
  const {
    media_attachments: [media],
    card,
  } = json as Shown
  return [media?.url.startsWith('https://far.example/'), card?.image === null]
}

test('copies of remote files and statuses are removed after the configured days', async t => {
  const { servers, ctl, person } = await openPair(t)
  const [server] = servers
  const alice = await person('alice')
  const [old, young] = [await createRemoteStatus(server, 'old', 20), await createRemoteStatus(server, 'young', 5)]
  const liked = await createRemoteStatus(server, 'liked', 20)
  await alice.post(`/api/v1/statuses/${liked}/favourite`)
  const boosted = await createRemoteStatus(server, 'boosted', 20)
  await sql(
    server,
    `with booster as (
       insert into accounts (username, domain, uri) values ('booster', 'far.example', 'https://far.example/booster') returning id
     ), follow as (insert into follows (account_id, target_account_id) select $1, booster.id from booster)
     insert into statuses (account_id, visibility, local, reblog_of_id, created_at)
     select booster.id, 'public', false, $2, now() from booster`,
    [alice.id, boosted],
  )
  const clients = servers.map(one => new Client(one))
  const everywhere = async (id: string, wanted: unknown, when: string): Promise<void> => {
    for (const client of clients) await becomes(() => copies(client, id), wanted, when)
  }
  const bothJobs = async (): Promise<void> => {
    // The servers know the settings.
    for (const { url } of servers) await waitForAllEventLogs(url)
    for (const name of ['retention.media_cache', 'retention.content_cache']) await runNow(server, name)
  }
  await bothJobs()
  for (const id of [old, young]) await everywhere(id, [false, false], 'without a period')
  await ctl('settings', 'set', 'media_cache_retention_period', '10')
  await bothJobs()
  await everywhere(old, [true, true], 'old copies')
  await everywhere(young, [false, false], 'young copies')
  await ctl('settings', 'set', 'content_cache_retention_period', '10')
  await bothJobs()
  await everywhere(old, null, 'an old status')
  await everywhere(liked, [true, true], 'an old status that a local user favourited')
  await everywhere(boosted, [true, true], 'an old status that a followed account boosted')
  await everywhere(young, [false, false], 'a young status')
  assert.equal((await alice.get(`/api/v1/statuses/${liked}`)).status, 200)
})

test('the nightly removal of statuses continues where it ended, and begins again after a month', async t => {
  const { servers, ctl, person } = await openPair(t)
  const [server] = servers
  const alice = await person('alice')
  await ctl('settings', 'set', 'content_cache_retention_period', '10')
  for (const { url } of servers) await waitForAllEventLogs(url)
  const liked = await createRemoteStatus(server, 'liked', 20)
  await alice.post(`/api/v1/statuses/${liked}/favourite`)
  const night = async (): Promise<unknown> => {
    await runNow(server, 'retention.content_cache')
    return (await sql(server, 'select id::text from statuses where not local order by id')).map(({ id }) => id)
  }
  assert.deepEqual(await night(), [liked])
  await alice.post(`/api/v1/statuses/${liked}/unfavourite`)
  await createRemoteStatus(server, 'later', 15)
  const young = await createRemoteStatus(server, 'young', 5)
  assert.deepEqual(await night(), [liked, young], 'what was kept is not examined again')
  await sql(server, `update retention_progress set round_began_at = now() - interval '31 days'`)
  assert.deepEqual(await night(), [liked, young], 'the round ends')
  assert.deepEqual(await night(), [young], 'all are examined')
})
