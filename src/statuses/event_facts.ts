import type { LoggedEvent } from '../platform/database/index.ts'
import type { Id } from '../core/id.ts'

export type Visibility = 'public' | 'unlisted' | 'private' | 'direct' | 'limited'

/**
 * The facts that feeds and streams decide by, in the data of `status.created`, `status.updated` and
 * `status.deleted` (SQL function `status_facts`): no query is needed, and they remain when the row
 * is deleted.
 */
export interface StatusFacts {
  readonly visibility: Visibility
  readonly local: boolean
  /** Of the author; null for this server. */
  readonly domain: string | null
  /** Whether the author is limited. */
  readonly silenced: boolean
  readonly language: string | null
  readonly reblog_of_id: Id | null
  readonly reblog_account_id: Id | null
  /** Of the boosted author; null for this server, or when it is not a boost. */
  readonly reblog_domain: string | null
  readonly in_reply_to_id: Id | null
  readonly in_reply_to_account_id: Id | null
  readonly conversation_id: Id | null
  /** Mentioned accounts, and accounts with access that are not mentioned (`silent`). */
  readonly mentions: readonly Id[]
  readonly silent_mentions: readonly Id[]
  /** Identities of its hashtags. */
  readonly tags: readonly string[]
  readonly has_media: boolean
  /** Accounts that the boosted status mentions. */
  readonly reblog_mentions: readonly Id[]
}

const KINDS = new Set(['status.created', 'status.updated', 'status.deleted'])

/** The facts in an event; undefined when it is not about a status. */
export function factsOf(event: LoggedEvent): StatusFacts | undefined {
  // The data of these kinds is written only by status_facts in our own SQL.
  return KINDS.has(event.kind) ? (event.data as unknown as StatusFacts) : undefined
}
