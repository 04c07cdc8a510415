import type { Id } from '../../core/id.ts'

/**
 * The facts that feeds and streams decide by, in the data of `status.created`, `status.updated` and
 * `status.deleted` (SQL function `status_facts`): no query is needed, and they remain when the row
 * is deleted.
 */
export interface StatusFacts {
  readonly visibility: 'public' | 'unlisted' | 'private' | 'direct' | 'limited'
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
  /** Whether it answers a status that is not stored here; absent: it does not. */
  readonly parent_unknown?: boolean
  readonly conversation_id: Id | null
  /** Mentioned accounts, and accounts with access that are not mentioned. */
  readonly mentions: readonly Id[]
  readonly silent_mentions: readonly Id[]
  /** Identities of its hashtags. */
  readonly tags: readonly string[]
  readonly has_media: boolean
  /** Accounts that the boosted status mentions. */
  readonly reblog_mentions: readonly Id[]
  /**
   * Of a new status that is counted: the number of its author's statuses, and the time of the
   * last, in microseconds since 1970, which is later for each. Without them the account is loaded
   * again.
   */
  readonly author_counts?: { readonly statuses: number; readonly last_status_us: number } | null
}

/** The data of `status.updated`. */
export interface UpdatedStatusFacts extends StatusFacts {
  /**
   * Why a status changed that was not edited: its author changed who may quote it, its quote was
   * accepted, an account that it mentions was found later, or it may enter feeds that refused it by
   * the `previous` facts. For an edit, or an event of an older version, undefined.
   */
  readonly reason?: 'quote_policy' | 'quote_accepted' | 'mentioned' | 'reached'
  readonly previous?: Partial<StatusFacts>
  /** The hashtags that the edit removed; undefined when they are not known. */
  readonly removed_tags?: readonly string[]
}
