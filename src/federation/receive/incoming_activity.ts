import type { Id } from '../../core/id.ts'
import { c, query, type Row, type Runner } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import type { JsonObject } from '../protocol/index.ts'
import type { StoredAccount, StoredStatus } from './find_by_uri.ts'

const begin = query('federation/receive/begin_receiving', {}, { receiving: c.text })

export const AUTHOR = {
  id: c.id,
  uri: c.text,
  username: c.text,
  domain: c.text,
  inbox_url: c.text,
  followers_url: c.text,
  following_url: c.text,
  featured_url: c.text,
  fetched_at: c.nullable(c.timestamp),
  silenced: c.boolean,
  sensitized: c.boolean,
  suspended: c.boolean,
  also_known_as: c.texts,
  rejects_media: c.boolean,
  rejects_reports: c.boolean,
  followed: c.boolean,
  relay: c.boolean,
} as const
const findAuthor = query('federation/receive/author', { account: c.id }, AUTHOR)

/**
 * An account of another server, as handlers need it; followed: by a local account; relay: it is a
 * relay that delivers here.
 */
export type Author = Row<typeof AUTHOR>

/** The account of a sender; stale: its document was not fetched for a day. */
export type Sender = Author & { readonly stale: boolean }

/**
 * Rows that the activities of a batch need, read together. A key that is missing in a map was not
 * read; undefined means that there is no such row.
 */
export interface Prefetched {
  /** By the URI of the actor. */
  readonly senders: Map<string, Sender>
  readonly statuses: Map<string, StoredStatus | undefined>
  readonly accounts: Map<string, StoredAccount | undefined>
  /**
   * By URI: the authors who deleted or undid the object, perhaps before it arrived; null: it is
   * gone, whoever its author is.
   */
  readonly gone: Map<string, ReadonlySet<Id | null>>
}

/** An activity whose actor has been verified. */
export interface VerifiedActivity {
  readonly activity: JsonObject
  /** The account of the actor: stored, remote and current. */
  readonly actor: Id
  readonly actorUri: string
  /** The owner of the personal inbox; undefined for the shared one. */
  readonly recipient?: Id | undefined
  /** The host of the server that delivered it, which may be a relay. */
  readonly deliveredBy?: string | undefined
  /** Whether it was fetched rather than delivered. */
  readonly fetched?: boolean
  readonly prefetched?: Prefetched | undefined
}

/** The parameters of every activity's handler. */
export interface IncomingActivity extends VerifiedActivity {
  readonly author: Author
}

export const readAuthor = ({ database }: Services, account: Id): Promise<Author | undefined> =>
  database.one(findAuthor, { account })

/** Runs a transaction that stores a remote activity: its changes are not sent to other servers. */
export const receivingTransaction = <T>(
  { database }: Services,
  work: (transaction: Runner) => Promise<T>,
): Promise<T> =>
  database.transaction(async transaction => {
    await transaction.run(begin, {})
    return work(transaction)
  })
