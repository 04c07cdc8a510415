import { deleteCollection, deleteItem, lockOwn } from '../../accounts/collections/index.ts'
import type { Id } from '../../core/id.ts'
import { c, query, type Runner } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { idOf, isObject, sameHost, type JsonObject, isStorableUri } from '../protocol/index.ts'
import { readFeaturedCollection } from './read_featured_collection.ts'
import { receivingTransaction, type IncomingActivity } from './incoming_activity.ts'
import { enqueueFetch } from './fetch_collection.ts'
import { findAccountsByUri } from './find_by_uri.ts'
import { findCollection } from './find_collection.ts'
import { storeTombstone } from './tombstones.ts'

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
  await receivingTransaction(services, async transaction => {
    await transaction.run(update, { curator: author.id, ...collection })
    if (await findCollection(transaction, author.id, collection.uri))
      await enqueueFetch(transaction, { curator: author.id, uri: collection.uri })
  })
}

/** Deletes the collection of a remote account that has this URI, if there is one. */
export async function deleteCollectionByUri(transaction: Runner, curator: Id, uri: string): Promise<void> {
  const found = await findCollection(transaction, curator, uri)
  if (found) await deleteCollection(transaction, curator, found.id)
}

/**
 * Remove: the actor removes an account from its collection, or the collection from its profile. An
 * item is named by its id, or by the account.
 */
export async function receiveRemoveItem(
  services: Services,
  { activity, author, actorUri }: IncomingActivity,
): Promise<void> {
  const [uri, object] = [idOf(activity['target']), activity['object']]
  const removed = idOf(object)
  if (removed !== undefined) await receivingTransaction(services, one => deleteCollectionByUri(one, author.id, removed))
  if (uri === undefined || !isStorableUri(uri)) return
  const member = idOf(isObject(object) ? object['featuredObject'] : object)
  const account = member === undefined ? undefined : (await findAccountsByUri(services, [member])).get(member)?.id
  const isItem = removed !== undefined && removed !== actorUri && removed !== uri && sameHost(removed, actorUri)
  const itemUri = isItem && !(account !== undefined && removed === member) ? removed : undefined
  await receivingTransaction(services, async transaction => {
    const collection = await findCollection(transaction, author.id, uri)
    if (!collection) return
    await lockOwn(transaction, author.id, collection.id)
    await storeTombstone(transaction, author.id, itemUri)
    const found = await findCollection(transaction, author.id, uri, { uri: itemUri, account })
    if (found?.item) await deleteItem(transaction, author.id, found.id, found.item)
  })
}
