import { c } from '../platform/database/index.ts'
import type { Id } from '../core/id.ts'

/**
 * The data that a status's URLs are made from. `uri` and `url` are stored for remote statuses only.
 */
export interface Addressed {
  readonly id: Id
  readonly account_id: Id
  readonly username: string
  readonly domain: string | null
  readonly uri: string | null
  readonly url: string | null
  readonly reblog_of_id: Id | null
}

/** The columns of a query that returns statuses as `Addressed`. */
export const ADDRESSED = {
  id: c.id,
  account_id: c.id,
  username: c.text,
  domain: c.nullable(c.text),
  uri: c.nullable(c.text),
  url: c.nullable(c.text),
  reblog_of_id: c.nullable(c.id),
} as const

/** The identifier of a status for other servers. */
export function uriOf(status: Addressed, publicUrl: string): string {
  if (status.uri !== null) return status.uri
  const note = `${publicUrl}/ap/users/${status.account_id}/statuses/${status.id}`
  return status.reblog_of_id === null ? note : `${note}/activity`
}

/** The page of a status for browsers; null for a remote one that has none. */
export function urlOf(status: Addressed, publicUrl: string): string | null {
  return status.domain === null ? `${publicUrl}/@${status.username}/${status.id}` : status.url
}

/** The page of an account. */
export const profileUrl = (
  account: { username: string; domain: string | null; url: string | null },
  publicUrl: string,
): string =>
  account.domain === null
    ? `${publicUrl}/@${account.username}`
    : (account.url ?? `https://${account.domain}/@${account.username}`)
