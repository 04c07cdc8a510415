import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { idOf } from '../protocol/index.ts'
import { parseLocalAccount } from './find_by_uri.ts'

const find = query('federation/receive/local_account', { account: c.id }, { id: c.id })

/** The existing local account that is the object of an activity; undefined for any other object. */
export async function findLocalTarget(services: Services, object: unknown): Promise<Id | undefined> {
  const account = parseLocalAccount(services, idOf(object))
  return account === undefined ? undefined : (await services.database.one(find, { account }))?.id
}
