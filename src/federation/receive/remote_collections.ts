import { deleteCollection, deleteItem } from '../../accounts/collections/index.ts'
import type { Id } from '../../core/id.ts'
import { c, query, type Runner } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { idOf, isObject, sameHost, type JsonObject } from '../protocol/index.ts'
import { readCollection } from './read_collection.ts'
import { inReceipt, type Receiving } from './receiving.ts'
import { isBounded, localAccount } from './references.ts'

const find = query(
  'federation/receive/known_collection',
  { curator: c.id, uri: c.text, account: c.nullable(c.id) },
  { id: c.id, item: c.nullable(c.id) },
)

const update = query(
  'federation/receive/update_collection',
  {
    curator: c.id,
    uri: c.text,
    page: c.nullable(c.text),
    name: c.text,
    description: c.nullable(c.text),
    language: c.nullable(c.text),
    sensitive: c.boolean,
    discoverable: c.boolean,
  },
  { id: c.id, events: c.events },
)

/** Update: the actor changes a collection that is known here. */
export async function updateCollection(
  services: Services,
  { author, actorUri }: Receiving,
  document: JsonObject,
): Promise<void> {
  const collection = readCollection(document, actorUri)
  if (!collection || !isBounded(collection.uri) || !sameHost(collection.uri, actorUri)) return
  await inReceipt(services, transaction => transaction.run(update, { curator: author.id, ...collection }))
}

/** Deletes a collection of an account of another server, if there is one with this URI. */
export async function removeCollection(transaction: Runner, curator: Id, uri: string): Promise<void> {
  if (!isBounded(uri)) return
  const found = await transaction.one(find, { curator, uri, account: null })
  if (found) await deleteCollection(transaction, curator, found.id)
}

/**
 * Remove: the actor takes a local account out of its collection, or the collection off its profile.
 */
export async function receiveRemoveItem(services: Services, { activity, author }: Receiving): Promise<void> {
  const [uri, object] = [idOf(activity['target']), activity['object']]
  const removed = idOf(object)
  if (removed !== undefined) await inReceipt(services, one => removeCollection(one, author.id, removed))
  const account = localAccount(services, idOf(isObject(object) ? object['featuredObject'] : object))
  if (uri === undefined || !isBounded(uri) || account === undefined) return
  await inReceipt(services, async transaction => {
    const found = await transaction.one(find, { curator: author.id, uri, account })
    if (found?.item) await deleteItem(transaction, author.id, found.id, found.item)
  })
}
