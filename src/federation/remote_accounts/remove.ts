import { removeAccount, requestRemoval, type Removal } from '../../accounts/deletion/index.ts'
import type { Id } from '../../core/id.ts'
import { c, query, type Runner } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'

const findRecord = query(
  'federation/remote_accounts/record_of',
  { account: c.id },
  { recorded: c.boolean, suspended: c.boolean },
)

/**
 * What is removed of an account that its server has deleted: everything, unless moderators have
 * something about it. Then the account stays, empty, with reports, strikes and evidence, so that it
 * cannot escape them by deleting itself and coming back. If it is suspended here it never comes
 * back; else it is suspended until its server says that it is there again, and then is limited as
 * before.
 */
async function removalOf(runner: Runner, account: Id): Promise<Removal> {
  const { recorded = false, suspended = false } = (await runner.one(findRecord, { account })) ?? {}
  return { account, freesName: !recorded, mayReturn: recorded && !suspended }
}

/**
 * Hides an account that its server has deleted, and deletes it with all its data in the background;
 * what moderators need stays.
 */
export const removeActor = ({ database }: Services, account: Id): Promise<void> =>
  database.transaction(async transaction => requestRemoval(transaction, await removalOf(transaction, account)))

/** As `removeActor`, but returns when the data are deleted. */
export const removeActorNow = async (services: Services, account: Id): Promise<void> =>
  removeAccount(services, await removalOf(services.database, account))
