import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { idOf, parseLocalPage } from '../protocol/index.ts'
import { parseLocalAccount } from './find_by_uri.ts'

const find = query(
  'federation/receive/local_account',
  { account: c.nullable(c.id), username: c.nullable(c.text) },
  { id: c.id },
)

/**
 * The existing local account that is the object of an activity, named by its URI or its profile's
 * address; undefined for any other object.
 */
export async function findLocalTarget(services: Services, object: unknown): Promise<Id | undefined> {
  const uri = idOf(object)
  if (uri === undefined) return undefined
  const account = parseLocalAccount(services, uri) ?? null
  const page = parseLocalPage(uri, services.config.publicUrl)
  const username = page && page.status === undefined ? page.username : null
  return account === null && username === null
    ? undefined
    : (await services.database.one(find, { account, username }))?.id
}
