import { c, query, type Runner } from '../../platform/database/index.ts'

const start = query('instance/async_refreshes/start', { key: c.text }, { id: c.nullable(c.text) })
const findRunning = query('instance/async_refreshes/running', { key: c.text }, { id: c.nullable(c.text) })
const finish = query('instance/async_refreshes/finish', { key: c.text, result_count: c.nullable(c.integer) }, {})

/**
 * Records the start of background work; call it in the transaction that enqueues the job. Undefined
 * if the work is already running.
 * @param key names the work: `annual_report:ACCOUNT:YEAR`
 * @returns an unguessable id for `refreshHeader`
 */
export const startRefresh = async (runner: Runner, key: string): Promise<string | undefined> =>
  (await runner.one(start, { key }))?.id ?? undefined

/** The id of the running work with a key. */
export const runningRefresh = async (runner: Runner, key: string): Promise<string | undefined> =>
  (await runner.one(findRunning, { key }))?.id ?? undefined

/** Records the end of the work. @param resultCount the number of results, if they are counted */
export async function finishRefresh(runner: Runner, key: string, resultCount: number | null = null): Promise<void> {
  await runner.run(finish, { key, result_count: resultCount })
}

/** The header that announces the work to a client. */
export const refreshHeader = (id: string, retrySeconds = 3): Record<string, string> => ({
  'Mastodon-Async-Refresh': `id="${id}", retry=${retrySeconds}`,
})
