import type { Id } from '../../core/id.ts'
import { c, query, type Row, type Runner } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import type { JsonObject } from '../protocol/index.ts'
import type { KnownAccount, KnownStatus } from './references.ts'

const begin = query('federation/receive/begin', {}, { receiving: c.text })

export const AUTHOR = {
  id: c.id,
  uri: c.text,
  username: c.text,
  domain: c.text,
  inbox_url: c.text,
  followers_url: c.text,
  featured_url: c.text,
  fetched_at: c.nullable(c.timestamp),
  silenced: c.boolean,
  sensitized: c.boolean,
  suspended: c.boolean,
  also_known_as: c.texts,
  rejects_media: c.boolean,
  rejects_reports: c.boolean,
  followed: c.boolean,
} as const
const findAuthor = query('federation/receive/author', { account: c.id }, AUTHOR)

/** An account of another server, as processing needs it; followed: from here. */
export type Author = Row<typeof AUTHOR>

/** An account of another server that sends; stale: it was not looked at for a day. */
export type Sender = Author & { readonly stale: boolean }

/**
 * The rows that the activities of a batch ask for, read at once. A key that a map lacks was not
 * read; a row that was not found is undefined.
 */
export interface Prefetched {
  /** By the URI of the actor. */
  readonly senders: Map<string, Sender>
  readonly statuses: Map<string, KnownStatus | undefined>
  readonly accounts: Map<string, KnownAccount | undefined>
  /** By the URI: whether it was deleted or undone, maybe before it came. */
  readonly gone: Map<string, boolean>
}

/** An activity whose actor has been verified. */
export interface Received {
  readonly activity: JsonObject
  /** The account of the actor: stored, remote and current. */
  readonly actor: Id
  readonly actorUri: string
  /** The owner of the personal inbox; undefined for the shared one. */
  readonly recipient?: Id | undefined
  /** The host of the server that delivered it, which may be a relay. */
  readonly deliveredBy?: string | undefined
  /** It was fetched rather than delivered. */
  readonly fetched?: boolean
  readonly prefetched?: Prefetched | undefined
}

/** The parameters of every activity's handler. */
export interface Receiving extends Received {
  readonly author: Author
}

export const readAuthor = ({ database }: Services, account: Id): Promise<Author | undefined> =>
  database.one(findAuthor, { account })

/** A transaction that sends nothing to other servers, because it stores what one of them did. */
export const inReceipt = <T>({ database }: Services, work: (transaction: Runner) => Promise<T>): Promise<T> =>
  database.transaction(async transaction => {
    await transaction.run(begin, {})
    return work(transaction)
  })
