import { randomUUID } from 'node:crypto'
import { parseId, type Id } from '../../core/id.ts'
import { idIn, job, memberOf } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { collectionDocument, findActor, itemDocument, itemUri } from '../documents/index.ts'
import { actorUri, collectionUri, payloadUri, PUBLIC } from '../protocol/index.ts'
import { findFollowersInboxes } from './followers_inboxes.ts'
import { sendActivity } from './send_activity.ts'

const KINDS = ['Add', 'Update', 'Remove'] as const

/** A change that federate_collections.sql or federate_collection_items.sql enqueued. */
interface Change {
  readonly kind: (typeof KINDS)[number]
  readonly account: Id
  readonly collection: Id
  /** Undefined when it is about the collection itself. */
  readonly item: Id | undefined
}

function parse(payload: unknown): Change {
  const [kind, item] = [KINDS.find(one => one === memberOf(payload, 'kind')), memberOf(payload, 'item')]
  if (kind === undefined) throw new Error('the payload has no kind')
  return {
    kind,
    account: idIn(payload, 'account'),
    collection: idIn(payload, 'collection'),
    item: typeof item === 'string' ? parseId(item) : undefined,
  }
}

/** The object of the activity; undefined when it no longer exists. */
async function buildObject(
  services: Services,
  { kind, account, collection, item }: Change,
): Promise<object | string | undefined> {
  const { publicUrl } = services.config
  if (kind === 'Remove')
    return item === undefined ? collectionUri(publicUrl, account, collection) : itemUri(publicUrl, account, item)
  return item === undefined ? collectionDocument(services, account, collection) : itemDocument(services, account, item)
}

/**
 * Sends the remote followers of a local curator a change of a discoverable collection (FEP-7aa9).
 */
export const sendCollection = job('federation.send_collection', parse, async (change, services: Services) => {
  const { kind, account, collection, item } = change
  const { database, config } = services
  const { publicUrl } = config
  if ((await findActor(services, account))?.state !== 'active') return
  const inboxes = (await database.run(findFollowersInboxes, { accounts: [account], without: '' })).map(row => row.inbox)
  const object = inboxes.length === 0 ? undefined : await buildObject(services, change)
  if (object === undefined) return
  const actor = actorUri(publicUrl, account)
  const uri = collectionUri(publicUrl, account, collection)
  const target = item === undefined ? `${actor}/featured_collections` : uri
  const id = kind === 'Update' ? `${uri}#updates/${Math.floor(Date.now() / 1000)}` : payloadUri(publicUrl, randomUUID())
  const activity = { id, type: kind, actor, to: [PUBLIC], ...(kind !== 'Update' && { target }), object }
  await sendActivity(database, { sender: account, object: uri, activity, inboxes })
})
