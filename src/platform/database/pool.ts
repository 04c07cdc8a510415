import pg from 'pg'
import { intern } from '../../core/interner.ts'
import type { Connection } from './database.ts'

const { getTypeParser, builtins } = pg.types
const asText = (value: string): string => value

const BIGINT_ARRAY = 1016
const parseBigints = (getTypeParser as (oid: number) => (value: string) => (string | null)[])(BIGINT_ARRAY)
const toIds = (value: string): (string | null)[] => parseBigints(value).map(id => id && intern(id))

/** Dates stay text: a JavaScript Date would shift them by the time zone. */
const PARSERS = new Map<number, (value: string) => unknown>([
  [builtins.DATE, asText],
  [builtins.INT8, intern],
  [BIGINT_ARRAY, toIds],
])

const types: pg.CustomTypesConfig = {
  getTypeParser: ((...asked: Parameters<typeof getTypeParser>) =>
    PARSERS.get(asked[0]) ?? getTypeParser(...asked)) as pg.CustomTypesConfig['getTypeParser'],
}

/** A new connection plans every statement anew, the first five times that it runs, so one that is idle for a while is kept. */
const IDLE_MS = 10 * 60 * 1000

/**
 * A pool of connections. `lost` is told of errors of its connections, idle or lent, which nobody else may hear; an error without a
 * listener would end the process. Whoever opens it ends it.
 */
export function openPool(connection: Connection, size: number, onError: (error: unknown) => void): pg.Pool {
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
      if (!pool.ending) onError(error)
    }),
  )
  return pool
}
