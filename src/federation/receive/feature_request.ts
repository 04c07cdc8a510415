import { randomUUID } from 'node:crypto'
import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { fetchObject } from '../fetch/index.ts'
import { sendActivity } from '../send/index.ts'
import { actorUri, idOf, sameHost } from '../protocol/index.ts'
import { localTarget } from './local_target.ts'
import { readCollection } from './read_collection.ts'
import { inReceipt, type Receiving } from './receiving.ts'
import { isBounded } from './references.ts'

const feature = query(
  'federation/receive/feature',
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
    limit: c.integer,
  },
  { item: c.nullable(c.id), events: c.events },
)

/** Of one curator. */
const MAX_COLLECTIONS = 100

/**
 * FeatureRequest (FEP-7aa9): the actor asks whether its collection may contain a local account,
 * whose settings decide.
 */
export async function receiveFeatureRequest(services: Services, receiving: Receiving): Promise<void> {
  const { activity, author, actorUri: curator } = receiving
  const [id, object, instrument] = [idOf(activity), idOf(activity['object']), idOf(activity['instrument'])]
  if (id === undefined || !isBounded(id) || !sameHost(id, curator)) return
  if (instrument === undefined || !isBounded(instrument) || !sameHost(instrument, curator)) return
  const account = await localTarget(services, activity['object'])
  if (account === undefined || object === undefined) return
  const document = await fetchObject(services, instrument)
  const collection = document && readCollection(document, curator)
  await inReceipt(services, async transaction => {
    const asked = { curator: author.id, account, limit: MAX_COLLECTIONS }
    const row = collection && (await transaction.one(feature, { ...asked, ...collection }))
    const item = row?.item ?? null
    const own = actorUri(services.config.publicUrl, account)
    const answer =
      item === null
        ? { id: `${own}#rejects/feature_requests/${randomUUID()}`, type: 'Reject' }
        : {
            id: `${own}#accepts/feature_requests/${item}`,
            type: 'Accept',
            result: `${own}/feature_authorizations/${item}`,
          }
    const request = { id, type: 'FeatureRequest', actor: curator, object, instrument }
    await sendActivity(transaction, {
      sender: account,
      object: instrument,
      activity: { ...answer, actor: own, to: curator, object: request },
      inboxes: author.inbox_url === '' ? [] : [author.inbox_url],
    })
  })
}
