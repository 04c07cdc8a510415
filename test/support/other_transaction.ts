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

const countWaiting = async (server: ServerAddress, name: string): Promise<number> => {
  const waiting = `select from pg_stat_activity
    where wait_event_type = 'Lock' and starts_with(query, $1) and datname = current_database()`
  return (await sql(server, waiting, [`-- ${name}`])).length
}

/** Waits until a statement waits for a lock. */
export async function waitsForLock(server: ServerAddress, name: string): Promise<void> {
  while ((await countWaiting(server, `${name}:`)) === 0);
}

/** Waits until so many statements wait for locks, or until one of the requests is answered. */
export async function waitForLocks(
  server: ServerAddress,
  count: number,
  ...requests: readonly Promise<unknown>[]
): Promise<void> {
  const seen = { isAnswered: false }
  for (const request of requests) void request.finally(() => (seen.isAnswered = true))
  while (!seen.isAnswered && (await countWaiting(server, '')) < count);
}

/**
 * Sends one request after the other while all of them have to wait for a locked row.
 * @param lock the statement that locks it, with its id as parameter
 */
export async function sendInTurn<T>(
  t: Test,
  server: ServerAddress,
  lock: string,
  id: string,
  senders: readonly (() => Promise<T>)[],
): Promise<T[]> {
  const other = await connect(t, server)
  await other.query('begin')
  await other.query(lock, [id])
  const sent: Promise<T>[] = []
  for (const [index, send] of senders.entries()) {
    sent.push(send())
    await waitForLocks(server, index + 1, ...sent)
  }
  await other.query('rollback')
  return Promise.all(sent)
}
