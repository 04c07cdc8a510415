import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { InvalidConfig } from '../../core/config.ts'
import type { Connection } from './database.ts'

const PATIENCE_MS = 10_000

const REFUSAL =
  'DATABASE_URL leads to a connection pooler that lends connections for a transaction or a statement at a time: give each client a connection of its own (PgBouncer: pool_mode = session), or name PostgreSQL itself'

const ASK = `select pg_backend_pid() as pid, current_setting('millrace.session', true) as mark`

interface Place {
  readonly pid: number
  readonly mark: string | null
}

async function ask(client: pg.Client): Promise<Place | undefined> {
  const { rows } = await client.query<Place>(ASK)
  return rows[0]
}

const isTimeout = (error: unknown): boolean => error instanceof Error && error.message === 'Query read timeout'

/** PgBouncer's answer to `begin` in statement mode. */
const isBeginRefused = (error: unknown): boolean => error instanceof Error && /pooling mode/i.test(error.message)

/**
 * Whether the first session keeps its connection while the second has a transaction open, during
 * which a pooler cannot reassign that one.
 */
async function keepsConnection(first: pg.Client, second: pg.Client): Promise<boolean> {
  const mark = randomBytes(8).toString('hex')
  await first.query(`select set_config('millrace.session', $1, false)`, [mark])
  const before = [await ask(first), await ask(first)]
  try {
    await second.query('begin')
  } catch (error) {
    if (isBeginRefused(error)) return false
    throw error
  }
  const other = await ask(second)
  try {
    const places = [...before, await ask(first), await ask(first)]
    return places.every(place => place?.mark === mark && place.pid === places[0]?.pid && place.pid !== other?.pid)
  } catch (error) {
    // A pooler with a single connection, which the transaction occupies.
    if (isTimeout(error)) return false
    throw error
  }
}

/**
 * Refuses a database behind a pooler that does not give each of our sessions its own connection:
 * LISTEN, advisory locks, prepared statements and session settings would be lost, and posting would
 * fail soon after the start. The check observes the behaviour, so it works for any pooler.
 * @throws InvalidConfig
 */
export async function refuseSharedConnections(connection: Connection): Promise<void> {
  const open = (): pg.Client => {
    const client = new pg.Client({ ...connection, application_name: 'millrace start', query_timeout: PATIENCE_MS })
    client.on('error', () => {}) // the statement that runs fails too
    return client
  }
  const [first, second] = [open(), open()]
  try {
    await first.connect()
    await second.connect()
    if (!(await keepsConnection(first, second))) throw new InvalidConfig(REFUSAL)
  } finally {
    await Promise.allSettled([first.end(), second.end()])
  }
}
