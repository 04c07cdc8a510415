import type pg from 'pg'
import { Subject, type Observable } from 'rxjs'
import type { LoggedEvent } from '../events/catalogue.ts'
import type { Columns, Row } from './column.ts'
import {
  isConnectionLost,
  isFullForConnections,
  isIdTaken,
  isRetryable,
  isWriteRefused,
  toApiError,
} from './failures.ts'
import { withConnectionRetry } from './retry.ts'
import { lendPatiently } from './patient_pool.ts'
import { openPool } from './pool.ts'
import { createPipeline } from './pipeline.ts'
import { Execution, runPrepared } from './prepared_statement.ts'
import type { Query } from './query.ts'
import { renewConnections, type RenewedConnections } from './renewal.ts'

/** Runs statements: the pool, or a transaction. */
export interface Runner {
  /**
   * All rows. Throws an ApiError for errors that the client may see (a duplicate, a lost
   * connection).
   */
  run<P extends Columns, R extends Columns>(query: Query<P, R>, parameters: Row<P>): Promise<Row<R>[]>
  /** The first row, or undefined. */
  one<P extends Columns, R extends Columns>(query: Query<P, R>, parameters: Row<P>): Promise<Row<R> | undefined>
}

export interface Database extends Runner {
  /**
   * Runs `work` in one transaction, again from the start after a deadlock, a serialization failure,
   * or on a server that only reads: it may run several times and must have no other effects.
   */
  transaction<T>(work: (transaction: Runner) => Promise<T>): Promise<T>
  /**
   * Lends a client of the pool for commands that the query layer does not cover (COPY, EXPLAIN,
   * LISTEN).
   */
  withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T>
  /**
   * Events that this process has just committed, before the log delivers them to all processes.
   * State that must not be stale after an acknowledged write (caches, feeds) follows this and the
   * log; streams follow the log alone.
   */
  readonly committed$: Observable<Committed>
  readonly connection: Connection
  /** Open and idle connections, and requests that wait for one. */
  statistics(): { total: number; idle: number; waiting: number }
  close(): Promise<void>
}

/** Events of one transaction of this process. */
export interface Committed {
  readonly events: readonly LoggedEvent[]
  /** Whether the transaction has no other events. */
  readonly areAll: boolean
  /** When the statement or transaction began, on the clock of `performance.now()`. */
  readonly begunAt: number
}

/** The address and credentials of the database, as `pg` takes them. */
export type Connection = pg.ClientConfig

export interface DatabaseOptions {
  connection: Connection
  /** The limit of connections in the pool. */
  poolSize: number
  /** After this long a statement without an answer fails; never when it is undefined. */
  answerMs?: number
  /** Called for each statement that took longer than `slowMs`. */
  onSlowQuery?: (name: string, durationMs: number) => void
  slowMs?: number
  /** Called with errors of idle connections, which no statement reports. */
  onError?: (error: unknown) => void
  /** Called when the server accepts no connection for lack of space. */
  onFullDisk?: () => void
}

const ATTEMPTS = 4
const SLOW_MS = 500

const ignore = (): void => undefined

type OnEvents = (committed: Committed) => void

/** Runs a statement on a client of the pool. */
type Execute = <P extends Columns, R extends Columns>(
  client: pg.PoolClient,
  query: Query<P, R>,
  parameters: Row<P>,
  onEvents: OnEvents,
) => Promise<Row<R>[]>

/**
 * The driver's option for the longest wait for an answer, which its types lack. It is not given to
 * the whole pool, because COPY and the commands of `withClient` may take as long as they need.
 */
interface Patience {
  query_timeout?: number
}

const patienceOf = ({ answerMs }: DatabaseOptions): Patience =>
  answerMs === undefined ? {} : { query_timeout: answerMs }

function createExecute({ slowMs = SLOW_MS, answerMs, onSlowQuery, onFullDisk }: DatabaseOptions): Execute {
  return async (client, query, parameters, onEvents) => {
    const started = performance.now()
    try {
      const execution = new Execution(query, parameters)
      await runPrepared(client, [execution], answerMs)
      const { rows } = execution
      if ('events' in query.columns) {
        const events = rows.flatMap(row => (row as { events?: LoggedEvent[] | null }).events ?? [])
        if (events.length > 0) onEvents({ events, areAll: query.returnsAllEvents, begunAt: started })
      }
      return rows
    } catch (error) {
      if (isFullForConnections(error)) onFullDisk?.()
      throw toApiError(error)
    } finally {
      const durationMs = performance.now() - started
      if (durationMs > slowMs) onSlowQuery?.(query.name, durationMs)
    }
  }
}

/** Runs work in transactions, again from the start when that may succeed. */
function createTransactions(
  { connect, failed }: RenewedConnections,
  execute: Execute,
  publish: OnEvents,
  patience: Patience,
): Database['transaction'] {
  const runner = (client: pg.PoolClient, onEvents: OnEvents): Runner => ({
    run: (query, parameters) => execute(client, query, parameters, onEvents),
    one: async (query, parameters) => (await execute(client, query, parameters, onEvents))[0],
  })

  async function attempt<T>(work: (transaction: Runner) => Promise<T>): Promise<T> {
    const client = await withConnectionRetry(connect, connect)
    const begunAt = performance.now()
    const events: LoggedEvent[] = []
    let broken: Error | undefined
    try {
      await client.query({ text: 'begin', ...patience })
      const result = await work(runner(client, logged => events.push(...logged.events)))
      await client.query({ text: 'commit', ...patience })
      if (events.length > 0) publish({ events, areAll: false, begunAt })
      return result
    } catch (error) {
      failed(error)
      // A connection that was lost or does not answer would not answer this either.
      if (isConnectionLost(error)) broken = new Error('the connection was lost')
      else
        await client.query({ text: 'rollback', ...patience }).catch((rollbackError: unknown) => {
          broken = rollbackError instanceof Error ? rollbackError : new Error('rollback failed')
        })
      throw toApiError(error)
    } finally {
      client.release(broken)
    }
  }

  return async work => {
    for (let left = ATTEMPTS - 1; ; left -= 1) {
      try {
        return await attempt(work)
      } catch (error) {
        if (left === 0 || !(isRetryable(error) || isIdTaken(error) || isWriteRefused(error))) throw error
      }
    }
  }
}

/**
 * Repeats an interrupted statement in a read-only transaction, since a write may already have been
 * committed.
 */
async function retryAsRead<P extends Columns, R extends Columns>(
  connect: () => Promise<pg.PoolClient>,
  execute: Execute,
  query: Query<P, R>,
  parameters: Row<P>,
  patience: Patience,
): Promise<Row<R>[]> {
  const client = await connect()
  let broken = true
  try {
    await client.query({ text: 'begin read only', ...patience })
    const rows = await execute(client, query, parameters, ignore)
    await client.query({ text: 'commit', ...patience })
    broken = false
    return rows
  } catch (error) {
    throw toApiError(error)
  } finally {
    client.release(broken)
  }
}

/** Opens the pool. The first statement opens the first connection. */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = openPool(options.connection, options.poolSize, error => options.onError?.(error))
  const committed = new Subject<Committed>()
  const publish: OnEvents = transaction => committed.next(transaction)
  const patience = patienceOf(options)
  const execute = createExecute(options)
  const lendConnection = lendPatiently(pool, options.poolSize)
  const connections = renewConnections(pool, () =>
    lendConnection().catch((error: unknown) => {
      if (isFullForConnections(error)) options.onFullDisk?.()
      throw toApiError(error)
    }),
  )
  const { connect } = connections
  async function lend<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await connect()
    let isBroken = false
    try {
      return await work(client)
    } catch (error) {
      isBroken = isConnectionLost(error)
      connections.failed(error)
      throw error
    } finally {
      client.release(isBroken)
    }
  }
  const attempt: Runner['run'] = (query, parameters) =>
    withConnectionRetry(
      () => lend(client => execute(client, query, parameters, publish)),
      () => retryAsRead(connect, execute, query, parameters, patience),
    )
  const runAlone: Runner['run'] = async (query, parameters) => {
    for (let left = ATTEMPTS - 1; ; left -= 1) {
      try {
        return await attempt(query, parameters)
      } catch (error) {
        if (left === 0 || !(isIdTaken(error) || isWriteRefused(error))) throw error
      }
    }
  }
  const { answerMs, slowMs = SLOW_MS, onSlowQuery } = options
  const pipeline = createPipeline(
    exchanges =>
      lend(async client => {
        const started = performance.now()
        await runPrepared(client, exchanges, answerMs)
        const durationMs = performance.now() - started
        if (durationMs > slowMs) onSlowQuery?.(exchanges.map(({ name }) => name).join(', '), durationMs)
      }),
    runAlone,
  )
  const run: Runner['run'] = (query, parameters) =>
    query.pipelined ? pipeline(query, parameters) : runAlone(query, parameters)
  return {
    run,
    one: async (query, parameters) => (await run(query, parameters))[0],
    transaction: createTransactions(connections, execute, publish, patience),
    async withClient(work) {
      const client = await pool.connect()
      let isBroken = false
      try {
        return await work(client)
      } catch (error) {
        isBroken = isConnectionLost(error)
        throw error
      } finally {
        client.release(isBroken)
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
