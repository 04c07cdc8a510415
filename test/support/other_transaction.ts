import pg from 'pg'
import type { Test } from 'tap'
import { sql } from './people.ts'
import type { ServerAddress } from './server.ts'

/** Opens a connection for a transaction that requests have to wait for; closed after the test. */
export async function connect(t: Test, { databaseUrl }: ServerAddress): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl })
  t.after(() => client.end())
  await client.connect()
  return client
}

/** Waits until a statement waits for a lock. */
export async function waitsForLock(server: ServerAddress, name: string): Promise<void> {
  const waiting = `select from pg_stat_activity
    where wait_event_type = 'Lock' and starts_with(query, $1) and datname = current_database()`
  while ((await sql(server, waiting, [`-- ${name}:`])).length === 0);
}
