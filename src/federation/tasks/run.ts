import type { Id } from '../../core/id.ts'
import {
  enqueueTask,
  performTask,
  storeTask,
  taskJob,
  type FederationTask,
  type TaskWork,
} from '../../moderation/tasks/index.ts'
import type { Database } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { cullAccounts, listAccountsToCull, listRemoteAccounts, refreshAccounts } from '../remote_accounts/index.ts'
import { listLocalSigners, rotateKey, rotateKeys } from '../send/index.ts'

/** The default of the same commands of ctl. */
const CONCURRENCY = 5

async function countAll(items: AsyncIterable<unknown>): Promise<number> {
  let count = 0
  for await (const _ of items) count += 1
  return count
}

const cull: TaskWork = async (services, { domain }, { signal, measure, each }) => {
  const domains = domain === null ? [] : [domain]
  await measure(() => countAll(listAccountsToCull(services, domains)))
  await cullAccounts(services, domains, { concurrency: CONCURRENCY, signal, each: () => each(1) })
}

const refresh: TaskWork = async (services, { target_account_id: account, domain }, { signal, measure, each }) => {
  await measure(() => countAll(listRemoteAccounts(services, { account, domain })))
  await refreshAccounts(services, { account, domain }, { concurrency: CONCURRENCY, signal, each: () => each(1) })
}

const rotate: TaskWork = async (services, { target_account_id: account, created_at: start }, steps) => {
  const { signal, measure, each } = steps
  if (account !== null) {
    await measure(() => Promise.resolve(1))
    await rotateKey(services, account)
    await each(1)
    return
  }
  await measure(() => countAll(listLocalSigners(services, start)))
  await rotateKeys(services, { before: start, signal, each: () => each(1) })
}

const WORKS: Readonly<Record<FederationTask['kind'], TaskWork>> = {
  cull_accounts: cull,
  refresh_accounts: refresh,
  rotate_keys: rotate,
}

export const runFederationTask = taskJob('staff_tasks.run_federation', WORKS)

/**
 * Replaces the keys of all local accounts in this process, for the operator. When an earlier
 * rotation was interrupted, continues it.
 * @param options.resumed called then, with its start and the number of keys that it has replaced
 * @param options.each called with the number of accounts that follow
 */
export async function rotateAllKeys(
  services: Services,
  { resumed, each }: { resumed(start: Date, done: number): void; each(amount: number): void },
): Promise<void> {
  const task = await services.database.transaction(transaction => storeTask(transaction, null, { kind: 'rotate_keys' }))
  if (task === undefined) throw new Error('moderation/tasks/start returned no row')
  await performTask(services, task, {
    work: rotate,
    begun({ done_count: done, created_at: start }) {
      if (done > 0) resumed(start, done)
    },
    each,
  })
}

/** Starts a task of this district: see `enqueueTask`. */
export const startFederationTask = (database: Database, moderator: Id, task: FederationTask): Promise<boolean> =>
  enqueueTask(database, moderator, task, runFederationTask)
