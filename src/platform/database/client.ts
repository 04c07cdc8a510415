import pg from 'pg'
import type { Connection } from './database.ts'
import { withoutTimeouts } from './session_settings.ts'

export type Client = pg.Client

/**
 * Runs work with a connection of its own, outside the pool, for commands that the query layer does
 * not cover. They take as long as they need.
 * @param name shown in `pg_stat_activity`
 */
export async function withClient<T>(
  connection: Connection,
  name: string,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ ...connection, application_name: name })
  // A lost connection fails the running statement too.
  client.on('error', () => undefined)
  await client.connect()
  try {
    await client.query(withoutTimeouts)
    return await work(client)
  } finally {
    await client.end()
  }
}
