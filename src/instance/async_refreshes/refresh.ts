import { c, query, type Runner } from '../../platform/database/index.ts'

const RUNNING = { id: c.nullable(c.text), result_count: c.nullable(c.integer) } as const
const start = query('instance/async_refreshes/start', { key: c.text, counted: c.boolean }, RUNNING)
const findRunning = query('instance/async_refreshes/running', { key: c.text }, RUNNING)
const count = query('instance/async_refreshes/count', { key: c.text }, {})
const finish = query('instance/async_refreshes/finish', { key: c.text, result_count: c.nullable(c.integer) }, {})

/** Background work that is running. */
export interface Refresh {
  /** Unguessable. */
  readonly id: string
  /** The results so far; null if they are not counted. */
  readonly resultCount: number | null
}

const toRefresh = (row: { id: string | null; result_count: number | null } | undefined): Refresh | undefined =>
  row?.id ? { id: row.id, resultCount: row.result_count } : undefined

/**
 * Records the start of background work; call it in the transaction that enqueues the job. Undefined
 * if the work is already running.
 * @param key names the work: `annual_report:ACCOUNT:YEAR`
 * @param options.counted whether its results are counted (`countResult`)
 */
export const startRefresh = async (
  runner: Runner,
  key: string,
  { counted = false }: { counted?: boolean } = {},
): Promise<Refresh | undefined> => toRefresh(await runner.one(start, { key, counted }))

/** The running work with a key. */
export const runningRefresh = async (runner: Runner, key: string): Promise<Refresh | undefined> =>
  toRefresh(await runner.one(findRunning, { key }))

/** Counts one more result of the running work. */
export const countResult = async (runner: Runner, key: string): Promise<void> => void (await runner.run(count, { key }))

/** Records the end of the work. @param resultCount the number of results, if they are counted */
export async function finishRefresh(runner: Runner, key: string, resultCount: number | null = null): Promise<void> {
  await runner.run(finish, { key, result_count: resultCount })
}

/** The header that announces the work to a client. */
export const refreshHeader = ({ id, resultCount }: Refresh, retrySeconds = 3): Record<string, string> => ({
  'Mastodon-Async-Refresh': `id="${id}", retry=${retrySeconds}${resultCount === null ? '' : `, result_count=${resultCount}`}`,
})
