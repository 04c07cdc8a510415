import type { Id } from '../../core/id.ts'
import { c, query, type Runner } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { answeredRequest, grantedApproval } from './answered_request.ts'
import { inReceipt, type Receiving } from './receiving.ts'

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

function requestIn(services: Services, receiving: Receiving): Requested | undefined {
  const request = answeredRequest(services, receiving, 'FeatureRequest')
  if (!request) return undefined
  if ('number' in request) return { curator: request.account, item: request.number, collection: null }
  const { instrument } = request
  return instrument.kind === 'collection'
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
  const { author } = receiving
  const approval = grantedApproval(receiving)
  if (approval === undefined) return true
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
