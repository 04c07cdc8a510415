import type { Id } from '../../core/id.ts'
import type { Visibility } from '../../statuses/index.ts'
import { activityUri, actorUri, noteUri } from '../protocol/index.ts'

/** A status that another refers to, as the SQL function `federated_status` returns it. */
export interface StatusReference {
  readonly id: Id
  readonly account_id: Id
  /** The URI of a remote status; null for a local one. */
  readonly uri: string | null
  readonly actor: string
  readonly domain: string | null
  readonly visibility: Visibility
  readonly reblog: boolean
  readonly deleted: boolean
}

export function statusUri(status: StatusReference, publicUrl: string): string {
  if (status.uri !== null) return status.uri
  return (status.reblog ? activityUri : noteUri)(publicUrl, status.account_id, status.id)
}

export const authorUri = ({ actor, domain, account_id: id }: StatusReference, publicUrl: string): string =>
  domain === null ? actorUri(publicUrl, id) : actor
