import { deleteItem, lockOwn, MAX_ITEMS } from '../../accounts/collections/index.ts'
import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { featureAuthorizationUri } from '../documents/index.ts'
import { fetchExactly } from '../fetch/index.ts'
import { idOf, isObject, sameHost, typesOf, type JsonObject, isStorableUri } from '../protocol/index.ts'
import { findCollection } from './find_collection.ts'
import { parseLocalAccount, resolveAccounts } from './find_by_uri.ts'
import { receivingTransaction, type Author, type IncomingActivity } from './incoming_activity.ts'
import { hasTombstone } from './tombstones.ts'

const name = query(
  'federation/receive/name_item',
  { collection: c.id, item: c.id, account: c.id, uri: c.text },
  { id: c.id },
)
const add = query(
  'federation/receive/add_member',
  { collection: c.id, account: c.id, uri: c.text, approval_uri: c.nullable(c.text), limit: c.integer },
  { id: c.id, events: c.events },
)

/** An item of a remote collection, as its curator describes it. */
interface Item {
  readonly uri: string
  readonly member: string
  readonly approval: string | undefined
}

/** Parses a FeaturedItem (FEP-7aa9); one that is only named is fetched from the curator. */
async function readItem(services: Services, value: unknown, curator: string): Promise<Item | undefined> {
  const uri = idOf(value)
  if (uri === undefined || !isStorableUri(uri) || !sameHost(uri, curator)) return undefined
  const item = isObject(value) ? value : await fetchExactly(services, uri)
  if (!item || !typesOf(item).includes('FeaturedItem')) return undefined
  const [member, approval] = [idOf(item['featuredObject']), idOf(item['featureAuthorization'])]
  return member === undefined || !isStorableUri(member) ? undefined : { uri, member, approval }
}

/** Whether a document authorizes a collection to contain an account. */
const authorizes = (document: JsonObject | undefined, collection: string, member: string): boolean =>
  document !== undefined &&
  typesOf(document).includes('FeatureAuthorization') &&
  idOf(document['interactingObject']) === collection &&
  idOf(document['interactionTarget']) === member &&
  (document['attributedTo'] === undefined || idOf(document['attributedTo']) === member)

/**
 * Records the item of a local account, which is in the collection since it agreed. Without an
 * agreement there is nothing to record. If the curator has removed the item before, that is made
 * good.
 */
async function nameLocalMember(
  services: Services,
  curator: Author,
  collection: { id: Id; uri: string },
  item: Item,
  account: Id,
): Promise<void> {
  await receivingTransaction(services, async transaction => {
    await lockOwn(transaction, curator.id, collection.id)
    const agreed = (await findCollection(transaction, curator.id, collection.uri, { account }))?.item
    const { publicUrl } = services.config
    if (!agreed || item.approval !== featureAuthorizationUri(publicUrl, account, agreed)) return
    if (await hasTombstone(transaction, curator.id, [item.uri]))
      await deleteItem(transaction, curator.id, collection.id, agreed)
    else await transaction.run(name, { collection: collection.id, item: agreed, account, uri: item.uri })
  })
}

/** Adds an account of another server that has authorized it; it is fetched if it is unknown. */
async function addRemoteMember(
  services: Services,
  curator: Author,
  collection: { id: Id; uri: string },
  { uri, member, approval }: Item,
): Promise<void> {
  const isOwn = member === curator.uri
  if (!isOwn) {
    if (approval === undefined || !isStorableUri(approval) || !sameHost(approval, member)) return
    if (!authorizes(await fetchExactly(services, approval), collection.uri, member)) return
  }
  const { accounts, failure } = await resolveAccounts(services, [member])
  if (failure) throw failure
  const account = accounts.get(member)
  if (!account || account.isLocal) return
  await receivingTransaction(services, async transaction => {
    await lockOwn(transaction, curator.id, collection.id)
    if (await hasTombstone(transaction, curator.id, [uri])) return
    if (await hasTombstone(transaction, account.id, [approval])) return
    await transaction.run(add, {
      collection: collection.id,
      account: account.id,
      uri,
      approval_uri: isOwn ? null : (approval ?? null),
      limit: MAX_ITEMS,
    })
  })
}

/**
 * Adds an item to a stored collection of a remote account, if its account agrees.
 * @throws OutgoingFailure
 */
export async function addItem(services: Services, curator: Author, uri: string, value: unknown): Promise<void> {
  const itemUri = idOf(value)
  const found = await findCollection(services.database, curator.id, uri, { uri: itemUri })
  if (!found || found.item !== null) return
  const item = await readItem(services, value, curator.uri)
  if (!item) return
  const account = parseLocalAccount(services, item.member)
  const collection = { id: found.id, uri }
  if (account !== undefined) await nameLocalMember(services, curator, collection, item, account)
  else if (!(await hasTombstone(services.database, curator.id, [item.uri])))
    await addRemoteMember(services, curator, collection, item)
}

/** Removes items from a stored collection of a remote account. */
export const removeItems = (
  services: Services,
  curator: Author,
  uri: string,
  items: readonly string[],
): Promise<void> =>
  receivingTransaction(services, async transaction => {
    for (const item of items) {
      const found = await findCollection(transaction, curator.id, uri, { uri: item })
      if (found?.item) await deleteItem(transaction, curator.id, found.id, found.item)
    }
  })

/** Add: the actor adds an account to its collection. */
export async function receiveAddItem(services: Services, { activity, author }: IncomingActivity): Promise<void> {
  const uri = idOf(activity['target'])
  if (uri !== undefined) await addItem(services, author, uri, activity['object'])
}
