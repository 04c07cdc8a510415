import type pg from 'pg'
import { Subject, type Observable } from 'rxjs'
import type { Columns, LoggedEvent, Row } from './column.ts'
import { isRetryable, toApiError } from './failures.ts'
import { withConnectionRetry } from './retry.ts'
import { openPool } from './pool.ts'
import type { Query } from './query.ts'

/** What runs statements: the pool, or a transaction. */
export interface Runner {
  /** All rows. Throws a ApiError for what the client may hear of (a duplicate, a lost connection). */
  run<P extends Columns, R extends Columns>(query: Query<P, R>, parameters: Row<P>): Promise<Row<R>[]>
  /** The first row, or undefined. */
  one<P extends Columns, R extends Columns>(query: Query<P, R>, parameters: Row<P>): Promise<Row<R> | undefined>
}

export interface Database extends Runner {
  /** Runs `work` in one transaction, again from the start after a deadlock or serialization failure. It may run several times: no effects outside. */
  transaction<T>(work: (transaction: Runner) => Promise<T>): Promise<T>
  /** Lends a client of the pool for what the query layer has no words for (COPY, EXPLAIN, LISTEN). */
  withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T>
  /**
   * The events that this process has just committed, before the log delivers them to everybody. State that must not be
   * stale after an acknowledged write (caches, feeds) follows this and the log; streams follow the log alone.
   */
  readonly committed$: Observable<readonly LoggedEvent[]>
  readonly connection: Connection
  /** Connections open, idle, and requests waiting for one. */
  statistics(): { total: number; idle: number; waiting: number }
  close(): Promise<void>
}

/** Where the database is: what `pg` takes. */
export type Connection = pg.ClientConfig

export interface DatabaseOptions {
  connection: Connection
  /** Most connections of the pool. */
  poolSize: number
  /** Told of each statement that took longer than `slowMs`. */
  onSlowQuery?: (name: string, durationMs: number) => void
  slowMs?: number
  /** Told of errors of idle connections, which nobody else can hear. */
  onError?: (error: unknown) => void
}

const ATTEMPTS = 4

const ignore = (): void => undefined

function values<P extends Columns, R extends Columns>(query: Query<P, R>, parameters: Row<P>): unknown[] {
  return query.order.map(name => {
    const value: unknown = parameters[name]
    return query.parameters[name]?.sql === 'jsonb' && value !== null ? JSON.stringify(value) : value
  })
}

/** Opens the pool. Nothing connects before the first statement. */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = openPool(options.connection, options.poolSize, error => options.onError?.(error))
  const committed = new Subject<readonly LoggedEvent[]>()
  const slowMs = options.slowMs ?? 500

  async function execute<P extends Columns, R extends Columns>(
    client: pg.Pool | pg.PoolClient,
    query: Query<P, R>,
    parameters: Row<P>,
    tell: (events: readonly LoggedEvent[]) => void,
  ): Promise<Row<R>[]> {
    const started = performance.now()
    try {
      const { rows } = await client.query<Row<R>>({
        name: query.name,
        text: query.text,
        values: values(query, parameters),
      })
      if ('events' in query.columns) {
        for (const row of rows) {
          const { events } = row as { events?: LoggedEvent[] | null }
          if (events && events.length > 0) tell(events)
        }
      }
      return rows
    } catch (error) {
      throw toApiError(error)
    } finally {
      const durationMs = performance.now() - started
      if (durationMs > slowMs) options.onSlowQuery?.(query.name, durationMs)
    }
  }

  function runner(client: pg.PoolClient, tell: (events: readonly LoggedEvent[]) => void): Runner {
    return {
      run: (query, parameters) => execute(client, query, parameters, tell),
      one: async (query, parameters) => (await execute(client, query, parameters, tell))[0],
    }
  }

  const connect = (): Promise<pg.PoolClient> =>
    pool.connect().catch((error: unknown) => Promise.reject(toApiError(error)))

  async function attempt<T>(work: (transaction: Runner) => Promise<T>): Promise<T> {
    const client = await withConnectionRetry(connect, connect)
    const told: LoggedEvent[] = []
    let broken: Error | undefined
    try {
      await client.query('begin')
      const result = await work(runner(client, events => told.push(...events)))
      await client.query('commit')
      if (told.length > 0) committed.next(told)
      return result
    } catch (error) {
      await client.query('rollback').catch((rollbackError: unknown) => {
        broken = rollbackError instanceof Error ? rollbackError : new Error('rollback failed')
      })
      throw toApiError(error)
    } finally {
      client.release(broken)
    }
  }

  async function transaction<T>(work: (transaction: Runner) => Promise<T>): Promise<T> {
    for (let left = ATTEMPTS - 1; ; left -= 1) {
      try {
        return await attempt(work)
      } catch (error) {
        if (left === 0 || !isRetryable(error)) throw error
      }
    }
  }

  /** Asks again what was cut off, if it only reads: nobody can tell, and what is streamed is not lost by it. */
  async function retryAsRead<P extends Columns, R extends Columns>(
    query: Query<P, R>,
    parameters: Row<P>,
  ): Promise<Row<R>[]> {
    const client = await connect()
    let broken = true
    try {
      await client.query('begin read only')
      const rows = await execute(client, query, parameters, ignore)
      await client.query('commit')
      broken = false
      return rows
    } catch (error) {
      throw toApiError(error)
    } finally {
      client.release(broken)
    }
  }

  const onEvents = (events: readonly LoggedEvent[]): void => committed.next(events)
  const run: Runner['run'] = (query, parameters) =>
    withConnectionRetry(
      () => execute(pool, query, parameters, onEvents),
      () => retryAsRead(query, parameters),
    )
  const direct: Runner = { run, one: async (query, parameters) => (await run(query, parameters))[0] }
  return {
    ...direct,
    transaction,
    async withClient(work) {
      const client = await pool.connect()
      try {
        return await work(client)
      } finally {
        client.release()
      }
    },
    committed$: committed.asObservable(),
    connection: options.connection,
    statistics: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),
    async close() {
      await pool.end()
      committed.complete()
    },
  }
}
