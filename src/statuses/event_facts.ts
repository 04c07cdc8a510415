import { c, type Column, type LoggedEvent } from '../platform/database/index.ts'
import type { Id } from '../core/id.ts'

export type Visibility = 'public' | 'unlisted' | 'private' | 'direct' | 'limited'

/**
 * What feeds and streams decide by, as the data of `status.created`, `status.updated` and `status.deleted` carry it
 * (SQL function `status_facts`): enough to need no query, and there when the row is gone.
 */
export interface StatusFacts {
  readonly visibility: Visibility
  readonly local: boolean
  /** Of the author; null is this server. */
  readonly domain: string | null
  /** Whether the author is limited. */
  readonly silenced: boolean
  readonly language: string | null
  readonly reblog_of_id: Id | null
  readonly reblog_account_id: Id | null
  /** Of the author of what is boosted; null is this server, or no boost. */
  readonly reblog_domain: string | null
  readonly in_reply_to_id: Id | null
  readonly in_reply_to_account_id: Id | null
  readonly conversation_id: Id | null
  /** Accounts that the status names, and those who may see it without being named. */
  readonly mentions: readonly Id[]
  readonly silent_mentions: readonly Id[]
  /** Identities of its hashtags. */
  readonly tags: readonly string[]
  readonly has_media: boolean
  /** Accounts that the boosted status names. */
  readonly reblog_mentions: readonly Id[]
}

/** Made by `status_facts` in SQL, which a test compares with this type's members. */
export const facts: Column<StatusFacts> = c.json<StatusFacts>()

const KINDS = new Set(['status.created', 'status.updated', 'status.deleted'])

/** The facts that an event carries, or undefined when it is not about a status. */
export function factsOf(event: LoggedEvent): StatusFacts | undefined {
  // The data of these kinds are written by our own SQL alone, and only by status_facts.
  return KINDS.has(event.kind) ? (event.data as unknown as StatusFacts) : undefined
}
