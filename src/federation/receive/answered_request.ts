import type { Id } from '../../core/id.ts'
import type { Services } from '../../platform/services.ts'
import { idOf, isObject, parseLocalUri, sameHost, typesOf, isStorableUri } from '../protocol/index.ts'
import type { IncomingActivity } from './incoming_activity.ts'

/** The fragments in the ids of requests by local accounts, by the type of the activity. */
const FRAGMENTS = { QuoteRequest: 'quote_requests', FeatureRequest: 'feature_requests' } as const

/** Identifies the request that an Accept or Reject answers. */
type RequestReference =
  | { readonly account: Id; readonly id: Id }
  /** From an embedded request: the local status or collection that it is for. */
  | { readonly instrument: NonNullable<ReturnType<typeof parseLocalUri>> }

/** The request of a type that an activity answers: named by its id, or embedded. */
export function parseAnsweredRequest(
  { config }: Services,
  { activity }: IncomingActivity,
  type: keyof typeof FRAGMENTS,
): RequestReference | undefined {
  const object = activity['object']
  const named = parseLocalUri(idOf(object) ?? '', config.publicUrl)
  if (named?.kind === 'fragment' && named.fragment === FRAGMENTS[type]) return { account: named.account, id: named.id }
  if (!isObject(object) || !typesOf(object).includes(type)) return undefined
  const instrument = parseLocalUri(idOf(object['instrument']) ?? '', config.publicUrl)
  return instrument && { instrument }
}

/** The URI of the authorization that an Accept grants; it must be on the actor's server. */
export function readApprovalUri({ activity, actorUri }: IncomingActivity): string | undefined {
  const approval = idOf(activity['result'])
  return approval !== undefined && isStorableUri(approval) && sameHost(approval, actorUri) ? approval : undefined
}
