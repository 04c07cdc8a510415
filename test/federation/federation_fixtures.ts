import pg from 'pg'
import type { Test } from 'tap'
import type { Document, PeerActor } from '../support/federation/peer.ts'
import { sql } from '../support/people.ts'
import type { ServerAddress, TestServer } from '../support/server.ts'

/** Whether an activity has a type. */
export const hasType =
  (type: string) =>
  (activity: Document): boolean =>
    activity['type'] === type

/** Stores the account of an actor, as after its first activity, and returns its id. */
export async function storeRemoteAccount(
  server: ServerAddress,
  actor: PeerActor,
  more: Record<string, unknown> = {},
): Promise<string> {
  const row = {
    username: actor.username,
    domain: actor.peer.domain,
    uri: actor.uri,
    inbox_url: `${actor.uri}/inbox`,
    shared_inbox_url: `${actor.peer.url}/inbox`,
    followers_url: actor.followers,
    ...more,
  }
  const names = Object.keys(row)
  const parameters = names.map((_, index) => `$${index + 1}`).join(', ')
  const [inserted] = await sql(
    server,
    `with a as (insert into accounts (${names.join(', ')}) values (${parameters}) returning id),
     s as (insert into account_stats (account_id) select a.id from a)
     select a.id::text from a`,
    Object.values(row),
  )
  return String(inserted?.['id'])
}

/** Waits until a job of a kind is scheduled for later, and runs it now. */
export async function runScheduled(t: Test, server: TestServer, kind: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.databaseUrl })
  await client.connect()
  t.after(() => client.end())
  let wake = Promise.withResolvers<void>()
  client.on('notification', () => {
    wake.resolve()
    wake = Promise.withResolvers<void>()
  })
  await client.query('listen "jobs:insert"')
  for (;;) {
    const next = wake.promise
    const { rowCount } = await client.query(
      `with due as (
         select graphile_worker.reschedule_jobs(array_agg(j.id), run_at => now()) from graphile_worker.jobs j
         where j.task_identifier = $1 and j.run_at > clock_timestamp()
         having count(*) > 0
       )
       select pg_notify('jobs:insert', '{"count": 1}') from due`,
      [kind],
    )
    if (rowCount) return
    await next
  }
}

/**
 * Waits until no job of a kind is waiting or running.
 * @param retries whether it waits for those that are due later, too
 */
export async function waitForJobs(t: Test, server: TestServer, kind: string, retries = true): Promise<void> {
  const client = new pg.Client({ connectionString: server.databaseUrl })
  await client.connect()
  t.after(() => client.end())
  let wake = Promise.withResolvers<void>()
  client.on('notification', () => {
    wake.resolve()
    wake = Promise.withResolvers<void>()
  })
  await client.query(`
    create or replace function notify_finished_jobs() returns trigger language plpgsql as
    'begin notify finished_jobs; return null; end';
    create or replace trigger finished after delete on graphile_worker._private_jobs for each statement
    execute function notify_finished_jobs();
    listen finished_jobs`)
  for (;;) {
    const next = wake.promise
    const { rowCount } = await client.query(
      'select from graphile_worker.jobs j where j.task_identifier = $1 and ($2 or j.run_at <= now())',
      [kind, retries],
    )
    if (rowCount === 0) return
    await next
  }
}

/** Waits until received activities are processed, and activities of local accounts are sent. */
export async function waitForFederationJobs(t: Test, server: TestServer): Promise<void> {
  for (const kind of ['receive_lane', 'send_status', 'send_relation', 'send_like', 'deliver'])
    await waitForJobs(t, server, `federation.${kind}`)
}

/** Makes the server forget which keys it has requested a short time ago, as after some minutes. */
export async function forgetRequests(server: ServerAddress): Promise<void> {
  await sql(server, `insert into events (kind, data) values ('caches.cleared', '{"change": "all"}')`)
}
