import pg from 'pg'
import type { Connection } from './database.ts'

const { getTypeParser, builtins } = pg.types
const asText = (value: string): string => value

/** Dates stay text: a JavaScript Date would shift them by the time zone. */
const types: pg.CustomTypesConfig = {
  getTypeParser: ((...asked: Parameters<typeof getTypeParser>) =>
    asked[0] === builtins.DATE ? asText : getTypeParser(...asked)) as pg.CustomTypesConfig['getTypeParser'],
}

/** A new connection plans every statement anew, the first five times that it runs, so one that is idle for a while is kept. */
const IDLE_MS = 10 * 60 * 1000

/**
 * A pool of connections. `lost` is told of errors of its connections, idle or lent, which nobody else may hear; an error without a
 * listener would end the process. Whoever opens it ends it.
 */
export function openPool(connection: Connection, size: number, lost: (error: unknown) => void): pg.Pool {
  const pool = new pg.Pool({
    ...connection,
    max: size,
    idleTimeoutMillis: IDLE_MS,
    types,
    application_name: 'millrace',
  })
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
