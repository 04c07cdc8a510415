import pg from 'pg'
import type { Connection } from './database.ts'

/**
 * A pool for a library that speaks to PostgreSQL by itself. `lost` is told of errors of its connections, idle or lent, which nobody
 * else may hear; an error without a listener would end the process. Whoever opens it ends it.
 */
export function openPool(connection: Connection, size: number, lost: (error: unknown) => void): pg.Pool {
  const pool = new pg.Pool({ ...connection, max: size, application_name: 'millrace' })
  pool.on('error', lost)
  pool.on('connect', client => client.on('error', lost))
  return pool
}
