import { randomUUID } from 'node:crypto'
import { lockMembers, lockOwn, MAX_ITEMS } from '../../accounts/collections/index.ts'
import { lockAccount } from '../../accounts/index.ts'
import type { Id } from '../../core/id.ts'
import { c, query, type Runner } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { fetchObject } from '../fetch/index.ts'
import { sendActivity } from '../send/index.ts'
import { actorUri, idOf, sameHost, isStorableUri } from '../protocol/index.ts'
import { enqueueFetch } from './fetch_collection.ts'
import { findCollection } from './find_collection.ts'
import { findLocalTarget } from './find_local_target.ts'
import { readFeaturedCollection } from './read_featured_collection.ts'
import { receivingTransaction, type IncomingActivity } from './incoming_activity.ts'

const grant = query(
  'federation/receive/grant_feature_request',
  {
    curator: c.id,
    account: c.id,
    uri: c.text,
    page: c.nullable(c.text),
    name: c.text,
    description: c.nullable(c.text),
    language: c.nullable(c.text),
    sensitive: c.boolean,
    discoverable: c.boolean,
    collections_limit: c.integer,
    items_limit: c.integer,
  },
  { item: c.nullable(c.id), events: c.events },
)

/** The maximum number of stored collections of one curator. */
const MAX_COLLECTIONS = 100

/**
 * Adds an account to a collection; the id of the item, or null when it is not added. Requests at
 * the same time count each other's members, and a block at the same time is either seen or ends the
 * membership.
 */
async function grantRequest(
  transaction: Runner,
  curator: Id,
  account: Id,
  collection: NonNullable<ReturnType<typeof readFeaturedCollection>>,
): Promise<Id | null> {
  await lockAccount(transaction, curator)
  const stored = await findCollection(transaction, curator, collection.uri)
  if (stored) await lockOwn(transaction, curator, stored.id)
  await lockMembers(transaction, curator, [account])
  const limits = { collections_limit: MAX_COLLECTIONS, items_limit: MAX_ITEMS }
  const row = await transaction.one(grant, { curator, account, ...limits, ...collection })
  return row?.item ?? null
}

/**
 * FeatureRequest (FEP-7aa9): the actor asks to add a local account to its collection. The account's
 * settings decide.
 */
export async function receiveFeatureRequest(services: Services, incoming: IncomingActivity): Promise<void> {
  const { activity, author, actorUri: curator } = incoming
  const [id, object, instrument] = [idOf(activity), idOf(activity['object']), idOf(activity['instrument'])]
  if (id === undefined || !isStorableUri(id) || !sameHost(id, curator)) return
  if (instrument === undefined || !isStorableUri(instrument) || !sameHost(instrument, curator)) return
  const account = await findLocalTarget(services, activity['object'])
  if (account === undefined || object === undefined) return
  const document = await fetchObject(services, instrument)
  const collection = document && readFeaturedCollection(document, curator)
  await receivingTransaction(services, async transaction => {
    const item = collection ? await grantRequest(transaction, author.id, account, collection) : null
    if (collection && item !== null) await enqueueFetch(transaction, { curator: author.id, uri: collection.uri })
    const actor = actorUri(services.config.publicUrl, account)
    const response =
      item === null
        ? { id: `${actor}#rejects/feature_requests/${randomUUID()}`, type: 'Reject' }
        : {
            id: `${actor}#accepts/feature_requests/${item}`,
            type: 'Accept',
            result: `${actor}/feature_authorizations/${item}`,
          }
    const request = { id, type: 'FeatureRequest', actor: curator, object, instrument }
    await sendActivity(transaction, {
      sender: account,
      object: instrument,
      activity: { ...response, actor: actor, to: curator, object: request },
      inboxes: author.inbox_url === '' ? [] : [author.inbox_url],
    })
  })
}
