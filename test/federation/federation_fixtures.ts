import pg from 'pg'
import type { Test } from 'tap'
import type { Document, PeerActor } from '../support/federation/peer.ts'
import { sql } from '../support/people.ts'
import type { ServerAddress, TestServer } from '../support/server.ts'

/** Whether an activity has a type. */
export const typed =
  (type: string) =>
  (activity: Document): boolean =>
    activity['type'] === type

/** Stores the account of an actor, as after its first activity; its id. */
export async function know(
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
  const marks = names.map((_, place) => `$${place + 1}`).join(', ')
  const [made] = await sql(
    server,
    `with a as (insert into accounts (${names.join(', ')}) values (${marks}) returning id),
     s as (insert into account_stats (account_id) select a.id from a)
     select a.id::text from a`,
    Object.values(row),
  )
  return String(made?.['id'])
}

/** Waits until a job of a kind is planned for later, and runs it now. */
export async function runPlanned(t: Test, server: TestServer, kind: string): Promise<void> {
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
         where j.task_identifier = $1 and j.run_at > now()
         having count(*) > 0
       )
       select pg_notify('jobs:insert', '{"count": 1}') from due`,
      [kind],
    )
    if (rowCount) return
    await next
  }
}

/** Waits until no job of a kind waits or runs. */
export async function finished(t: Test, server: TestServer, kind: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.databaseUrl })
  await client.connect()
  t.after(() => client.end())
  let wake = Promise.withResolvers<void>()
  client.on('notification', () => {
    wake.resolve()
    wake = Promise.withResolvers<void>()
  })
  await client.query(`
    create or replace function tell_of_jobs() returns trigger language plpgsql as
    'begin notify finished_jobs; return null; end';
    create or replace trigger finished after delete on graphile_worker._private_jobs for each statement
    execute function tell_of_jobs();
    listen finished_jobs`)
  for (;;) {
    const next = wake.promise
    const { rowCount } = await client.query('select from graphile_worker.jobs j where j.task_identifier = $1', [kind])
    if (rowCount === 0) return
    await next
  }
}

/** Waits until what others delivered is processed, and what local people did is sent. */
export async function settled(t: Test, server: TestServer): Promise<void> {
  for (const kind of ['receive_lane', 'send_status', 'send_relation', 'send_like', 'deliver'])
    await finished(t, server, `federation.${kind}`)
}
