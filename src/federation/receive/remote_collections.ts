import { deleteCollection, deleteItem } from '../../accounts/collections/index.ts'
import type { Id } from '../../core/id.ts'
import { c, query, type Runner } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { idOf, isObject, sameHost, type JsonObject } from '../protocol/index.ts'
import { readFeaturedCollection } from './read_featured_collection.ts'
import { receivingTransaction, type IncomingActivity } from './incoming_activity.ts'
import { isStorableUri, parseLocalAccount } from './find_by_uri.ts'

const find = query(
  'federation/receive/collection_by_uri',
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

/** Update: the actor changes a collection that is stored here. */
export async function updateCollection(
  services: Services,
  { author, actorUri }: IncomingActivity,
  document: JsonObject,
): Promise<void> {
  const collection = readFeaturedCollection(document, actorUri)
  if (!collection || !isStorableUri(collection.uri) || !sameHost(collection.uri, actorUri)) return
  await receivingTransaction(services, transaction => transaction.run(update, { curator: author.id, ...collection }))
}

/** Deletes the collection of a remote account that has this URI, if there is one. */
export async function deleteCollectionByUri(transaction: Runner, curator: Id, uri: string): Promise<void> {
  if (!isStorableUri(uri)) return
  const found = await transaction.one(find, { curator, uri, account: null })
  if (found) await deleteCollection(transaction, curator, found.id)
}

/**
 * Remove: the actor removes a local account from its collection, or the collection from its
 * profile.
 */
export async function receiveRemoveItem(services: Services, { activity, author }: IncomingActivity): Promise<void> {
  const [uri, object] = [idOf(activity['target']), activity['object']]
  const removed = idOf(object)
  if (removed !== undefined) await receivingTransaction(services, one => deleteCollectionByUri(one, author.id, removed))
  const account = parseLocalAccount(services, idOf(isObject(object) ? object['featuredObject'] : object))
  if (uri === undefined || !isStorableUri(uri) || account === undefined) return
  await receivingTransaction(services, async transaction => {
    const found = await transaction.one(find, { curator: author.id, uri, account })
    if (found?.item) await deleteItem(transaction, author.id, found.id, found.item)
  })
}
