import pg from 'pg'
import type { Connection } from './database.ts'
import { types } from './parsers.ts'
import { setSession } from './session_settings.ts'

/**
 * A new connection plans each statement again for its first five runs, so idle connections stay
 * open for a while.
 */
const IDLE_MS = 10 * 60 * 1000

/**
 * How long a statement waits for a connection that is free, or new. It is longer than the retries
 * of `withConnectionRetry`, so that a full pool is met once.
 */
const CONNECT_MS = 10_000

/** The kernel asks an idle connection after this long whether the other end is still there. */
const KEEP_ALIVE_MS = 30_000

/** The pool awaits the returned promise, although its types say that there is none. */
const configure = (client: pg.ClientBase): unknown => {
  const statement = { text: setSession, query_timeout: CONNECT_MS }
  return client.query(statement)
}

/**
 * A pool of connections with our settings. `onError` is called with errors of its connections, idle
 * or in use; without a listener such an error would end the process. The caller must end the pool.
 * @param answerMs after which any statement without an answer fails, because the other end may have
 *   vanished silently; never when it is undefined
 */
export function openPool(
  connection: Connection,
  size: number,
  onError: (error: unknown) => void,
  answerMs?: number,
): pg.Pool {
  const pool = new pg.Pool({
    ...connection,
    max: size,
    idleTimeoutMillis: IDLE_MS,
    types,
    application_name: 'millrace',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    ...(answerMs !== undefined && { query_timeout: answerMs }),
    onConnect: configure,
  })
  // The pool also reports errors of idle clients, with the client attached; they are logged by the
  // handler below.
  pool.on('error', () => {})
  pool.on('connect', client =>
    client.on('error', error => {
      // Connections that are being closed may still receive the news that the server stops.
      if (!pool.ending) onError(error)
    }),
  )
  return pool
}
