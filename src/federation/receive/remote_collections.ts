import { dropCollection, dropItem } from '../../accounts/collections/index.ts'
import type { Id } from '../../core/id.ts'
import { c, query, type Runner } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { idOf, isObject } from '../terms/index.ts'
import { inReceipt, type Receiving } from './receiving.ts'
import { isBounded, localAccount } from './references.ts'

const find = query(
  'federation/receive/known_collection',
  { curator: c.id, uri: c.text, account: c.nullable(c.id) },
  { id: c.id, item: c.nullable(c.id) },
)

/** Deletes a collection of an account of another server, if there is one with this URI. */
export async function removeCollection(transaction: Runner, curator: Id, uri: string): Promise<void> {
  if (!isBounded(uri)) return
  const found = await transaction.one(find, { curator, uri, account: null })
  if (found) await dropCollection(transaction, curator, found.id)
}

/** Remove: the actor takes a local account out of its collection. */
export async function receiveRemoveItem(services: Services, { activity, author }: Receiving): Promise<void> {
  const [uri, object] = [idOf(activity['target']), activity['object']]
  const account = localAccount(services, idOf(isObject(object) ? object['featuredObject'] : object))
  if (uri === undefined || !isBounded(uri) || account === undefined) return
  await inReceipt(services, async transaction => {
    const found = await transaction.one(find, { curator: author.id, uri, account })
    if (found?.item) await dropItem(transaction, author.id, found.id, found.item)
  })
}
