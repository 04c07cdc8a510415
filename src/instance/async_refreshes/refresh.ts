import { c, query, type Runner } from '../../platform/database/index.ts'

const start = query('instance/async_refreshes/start', { key: c.text }, { id: c.nullable(c.text) })
const findRunning = query('instance/async_refreshes/running', { key: c.text }, { id: c.nullable(c.text) })
const finish = query('instance/async_refreshes/finish', { key: c.text, result_count: c.nullable(c.integer) }, {})

/**
 * Notes that work in the background begins; to be called in the transaction that enqueues it. Undefined when it is being done already.
 * @param key names what is done: `annual_report:ACCOUNT:YEAR`
 * @returns an id that nobody can guess, for `refreshHeader`
 */
export const startRefresh = async (runner: Runner, key: string): Promise<string | undefined> =>
  (await runner.one(start, { key }))?.id ?? undefined

/** The id of what is being done under a key. */
export const runningRefresh = async (runner: Runner, key: string): Promise<string | undefined> =>
  (await runner.one(findRunning, { key }))?.id ?? undefined

/** Notes that it is done. @param resultCount how many results it gave, if that is a count */
export async function finishRefresh(runner: Runner, key: string, resultCount: number | null = null): Promise<void> {
  await runner.run(finish, { key, result_count: resultCount })
}

/** The header that tells a client of it (api/conventions.md, section 2). */
export const refreshHeader = (id: string, retrySeconds = 3): Record<string, string> => ({
  'Mastodon-Async-Refresh': `id="${id}", retry=${retrySeconds}`,
})
