import type { Id } from '../../core/id.ts'
import { c, query, type Runner } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { parseAnsweredRequest, readApprovalUri } from './answered_request.ts'
import { receivingTransaction, type IncomingActivity } from './incoming_activity.ts'

const REQUEST = { item: c.nullable(c.id), collection: c.nullable(c.id), account: c.id } as const
const accept = query(
  'federation/receive/accept_feature_request',
  { ...REQUEST, curator: c.id, approval_uri: c.text },
  { id: c.id, events: c.events },
)
const end = query(
  'federation/receive/end_feature',
  { ...REQUEST, curator: c.nullable(c.id), approval_uri: c.nullable(c.text) },
  { id: c.id, events: c.events },
)

/** The requested item of a local account's collection, by its id or its collection. */
interface RequestedItem {
  readonly curator: Id
  readonly item: Id | null
  readonly collection: Id | null
}

function parseRequest(services: Services, incoming: IncomingActivity): RequestedItem | undefined {
  const request = parseAnsweredRequest(services, incoming, 'FeatureRequest')
  if (!request) return undefined
  if ('id' in request) return { curator: request.account, item: request.id, collection: null }
  const { instrument } = request
  return instrument.kind === 'collection'
    ? { curator: instrument.account, item: null, collection: instrument.collection }
    : undefined
}

/**
 * Accept of a FeatureRequest: the actor agrees to be in a local collection; `result` is the
 * authorization.
 * @returns whether the activity answers a FeatureRequest
 */
export async function receiveFeatureAccept(services: Services, incoming: IncomingActivity): Promise<boolean> {
  const requested = parseRequest(services, incoming)
  if (!requested) return false
  const { author } = incoming
  const approval = readApprovalUri(incoming)
  if (approval === undefined) return true
  await receivingTransaction(services, transaction =>
    transaction.run(accept, { ...requested, account: author.id, approval_uri: approval }),
  )
  return true
}

/**
 * Reject of a FeatureRequest: the actor does not agree to be in a local collection.
 * @returns whether the activity answers a FeatureRequest
 */
export async function receiveFeatureReject(services: Services, incoming: IncomingActivity): Promise<boolean> {
  const requested = parseRequest(services, incoming)
  if (!requested) return false
  const { author } = incoming
  await receivingTransaction(services, transaction =>
    transaction.run(end, { ...requested, account: author.id, approval_uri: null }),
  )
  return true
}

/** An account of another server revokes the FeatureAuthorization with this URI. */
export async function revokeFeature(transaction: Runner, account: Id, approvalUri: string): Promise<void> {
  const nothing = { item: null, collection: null, curator: null }
  await transaction.run(end, { ...nothing, account, approval_uri: approvalUri })
}
