import type { Id } from '../../core/id.ts'
import {
  enqueueTask,
  taskJob,
  type FederationTask,
  type TaskSteps,
  type UnfinishedTask,
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

async function work(
  services: Services,
  { kind, target_account_id: account, domain }: UnfinishedTask,
  { signal, measure, each }: TaskSteps,
): Promise<void> {
  const steps = { concurrency: CONCURRENCY, signal, each: () => each(1) }
  if (kind === 'cull_accounts') {
    const domains = domain === null ? [] : [domain]
    await measure(() => countAll(listAccountsToCull(services, domains)))
    await cullAccounts(services, domains, steps)
  } else if (kind === 'refresh_accounts') {
    await measure(() => countAll(listRemoteAccounts(services, { account, domain })))
    await refreshAccounts(services, { account, domain }, steps)
  } else if (kind === 'rotate_keys' && account !== null) {
    await measure(() => Promise.resolve(1))
    await rotateKey(services, account)
    await each(1)
  } else if (kind === 'rotate_keys') {
    await measure(() => countAll(listLocalSigners(services)))
    await rotateKeys(services, steps)
  }
}

export const runFederationTask = taskJob('staff_tasks.run_federation', work)

/** Starts a task of this district: see `enqueueTask`. */
export const startFederationTask = (database: Database, moderator: Id, task: FederationTask): Promise<boolean> =>
  enqueueTask(database, moderator, task, runFederationTask)
