import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { idOf } from '../protocol/index.ts'
import { localAccount } from './references.ts'

const find = query('federation/receive/local_account', { account: c.id }, { id: c.id })

/** The local account that an activity is about; undefined when it does not exist. */
export async function localTarget(services: Services, object: unknown): Promise<Id | undefined> {
  const account = localAccount(services, idOf(object))
  return account === undefined ? undefined : (await services.database.one(find, { account }))?.id
}
