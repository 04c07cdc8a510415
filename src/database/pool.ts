import pg from 'pg'
import type { Connection } from './database.ts'

/** `date` in pg_type. */
const DATE_OID: number = 1082

/** Dates stay text: a JavaScript Date would shift them by the time zone. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === DATE_OID
      ? (value: string) => value
      : pg.types.getTypeParser(oid, format ?? 'text')) as pg.CustomTypesConfig['getTypeParser'],
}

/**
 * A pool of connections. `lost` is told of errors of its connections, idle or lent, which nobody else may hear; an error without a
 * listener would end the process. Whoever opens it ends it.
 */
export function openPool(connection: Connection, size: number, lost: (error: unknown) => void): pg.Pool {
  const pool = new pg.Pool({ ...connection, max: size, types, application_name: 'millrace' })
  // Of an idle connection the pool tells too, with the whole client hung onto the error: too much for a log, and said already.
  pool.on('error', () => {})
  pool.on('connect', client =>
    client.on('error', error => {
      // Connections that are being closed may still hear that the server stops.
      if (!pool.ending) lost(error)
    }),
  )
  return pool
}
