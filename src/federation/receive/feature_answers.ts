import type { Id } from '../../core/id.ts'
import { c, query, type Runner } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { idOf, isObject, parseLocal, sameHost, typesOf } from '../terms/index.ts'
import { inReceipt, type Receiving } from './receiving.ts'
import { isBounded } from './references.ts'

const REQUEST = { item: c.nullable(c.id), collection: c.nullable(c.id), account: c.id } as const
const accept = query(
  'federation/receive/accept_feature',
  { ...REQUEST, curator: c.id, approval_uri: c.text },
  { id: c.id, events: c.events },
)
const refuse = query(
  'federation/receive/refuse_feature',
  { ...REQUEST, curator: c.nullable(c.id), approval_uri: c.nullable(c.text) },
  { id: c.id, events: c.events },
)

/** What a local account has asked for: by the number of the item, or its collection. */
interface Requested {
  readonly curator: Id
  readonly item: Id | null
  readonly collection: Id | null
}

/** The request that an answer is about: named by its id, or embedded. */
function requestIn({ config }: Services, { activity }: Receiving): Requested | undefined {
  const object = activity['object']
  const named = parseLocal(idOf(object) ?? '', config.publicUrl)
  if (named?.kind === 'numbered' && named.of === 'feature_requests')
    return { curator: named.account, item: named.id, collection: null }
  if (!isObject(object) || !typesOf(object).includes('FeatureRequest')) return undefined
  const instrument = parseLocal(idOf(object['instrument']) ?? '', config.publicUrl)
  return instrument?.kind === 'collection'
    ? { curator: instrument.account, item: null, collection: instrument.collection }
    : undefined
}

/**
 * Accept of a request to put the actor into a collection: its result is the permission.
 * @returns whether the answer was about such a request
 */
export async function acceptedFeature(services: Services, receiving: Receiving): Promise<boolean> {
  const requested = requestIn(services, receiving)
  if (!requested) return false
  const { activity, author, actorUri } = receiving
  const approval = idOf(activity['result'])
  if (approval === undefined || !isBounded(approval) || !sameHost(approval, actorUri)) return true
  await inReceipt(services, transaction =>
    transaction.run(accept, { ...requested, account: author.id, approval_uri: approval }),
  )
  return true
}

/**
 * Reject of a request to put the actor into a collection.
 * @returns whether the answer was about such a request
 */
export async function rejectedFeature(services: Services, receiving: Receiving): Promise<boolean> {
  const requested = requestIn(services, receiving)
  if (!requested) return false
  const { author } = receiving
  await inReceipt(services, transaction =>
    transaction.run(refuse, { ...requested, account: author.id, approval_uri: null }),
  )
  return true
}

/** An account of another server withdraws the permission with this URI. */
export async function withdrawFeature(transaction: Runner, account: Id, approvalUri: string): Promise<void> {
  const nothing = { item: null, collection: null, curator: null }
  await transaction.run(refuse, { ...nothing, account, approval_uri: approvalUri })
}
