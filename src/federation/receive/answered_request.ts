import type { Id } from '../../core/id.ts'
import type { Services } from '../../platform/services.ts'
import { idOf, isObject, parseLocalUri, sameHost, typesOf } from '../protocol/index.ts'
import type { Receiving } from './receiving.ts'
import { isBounded } from './references.ts'

/** Requests of local accounts that other servers answer: the name in their ids, by type. */
const NAMES = { QuoteRequest: 'quote_requests', FeatureRequest: 'feature_requests' } as const

/** The request that an Accept or Reject is about. */
type AnsweredRequest =
  | { readonly account: Id; readonly number: Id }
  /** It is embedded: the local object that asks to use another. */
  | { readonly instrument: NonNullable<ReturnType<typeof parseLocalUri>> }

/** The request of a type that an answer is about: named by its id, or embedded. */
export function answeredRequest(
  { config }: Services,
  { activity }: Receiving,
  type: keyof typeof NAMES,
): AnsweredRequest | undefined {
  const object = activity['object']
  const named = parseLocalUri(idOf(object) ?? '', config.publicUrl)
  if (named?.kind === 'fragment' && named.fragment === NAMES[type]) return { account: named.account, number: named.id }
  if (!isObject(object) || !typesOf(object).includes(type)) return undefined
  const instrument = parseLocalUri(idOf(object['instrument']) ?? '', config.publicUrl)
  return instrument && { instrument }
}

/** The URI of the permission that an Accept grants; it must be on the actor's server. */
export function grantedApproval({ activity, actorUri }: Receiving): string | undefined {
  const approval = idOf(activity['result'])
  return approval !== undefined && isBounded(approval) && sameHost(approval, actorUri) ? approval : undefined
}
