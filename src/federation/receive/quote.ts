import type { Id } from '../../core/id.ts'
import { c, query, type Runner } from '../../platform/database/index.ts'
import { OutgoingFailure } from '../../platform/http_client/index.ts'
import type { Services } from '../../platform/services.ts'
import { fetchExactly, orOutgoingFailure } from '../fetch/index.ts'
import { idOf, sameHost, typesOf } from '../protocol/index.ts'
import type { Note } from './note.ts'
import { readAuthor, type Author } from './incoming_activity.ts'
import type { StoredStatus } from './find_by_uri.ts'

const storeQuote = query(
  'federation/receive/quote',
  { status: c.id, account: c.id, quoted: c.id, state: c.text, approval_uri: c.nullable(c.text) },
  { events: c.events },
)

const enqueueQuote = query(
  'federation/receive/enqueue_quote',
  {
    status: c.id,
    author: c.id,
    uri: c.text,
    quoted: c.text,
    approval: c.nullable(c.text),
    quotes: c.integer,
  },
  { job: c.id },
)

/** Stores a quote in the transaction that stores its status. */
export type StoreQuote = (transaction: Runner, status: Id) => Promise<void>

/** The members of a note that are about its quote. */
export type QuotingNote = Pick<Note, 'uri' | 'quotedUri' | 'approvalUri'>

type Resolve = (uri: string) => Promise<StoredStatus | undefined>

interface FoundQuote {
  /** Undefined when no status is found. */
  readonly store?: StoreQuote
  /** Set when a server gave no answer: another try may find the status, or its approval. */
  readonly failure?: OutgoingFailure
}

/**
 * Finds the status that a note quotes, and whether its author has authorized the quote. It is
 * pending while the server with the authorization gives no answer.
 */
export async function findQuote(
  services: Services,
  author: Author,
  note: QuotingNote,
  resolve: Resolve,
): Promise<FoundQuote> {
  const { quotedUri, approvalUri } = note
  if (quotedUri === undefined) return {}
  const quoted = await orOutgoingFailure(resolve(quotedUri))
  if (quoted instanceof OutgoingFailure) return { failure: quoted }
  if (!quoted || quoted.reblog_of_id !== null) return {}
  const isPublic = quoted.visibility === 'public' || quoted.visibility === 'unlisted'
  const isOwn = quoted.account_id === author.id
  if (!isPublic && !isOwn) return {}
  const approval = isOwn || (await orOutgoingFailure(isQuoteAuthorized(services, note, quoted, quotedUri)))
  const isApproved = approval === true
  const store: StoreQuote = async (transaction, status) => {
    await transaction.run(storeQuote, {
      status,
      account: author.id,
      quoted: quoted.id,
      state: isApproved ? 'accepted' : 'pending',
      approval_uri: isApproved ? (approvalUri ?? null) : null,
    })
  }
  return approval instanceof OutgoingFailure ? { store, failure: approval } : { store }
}

/**
 * As `findQuote`; if a server gave no answer, the returned function enqueues another try.
 * @param quotes the number of quotes that were followed to this note
 */
export async function prepareQuote(
  services: Services,
  author: Author,
  note: QuotingNote,
  quotes: number,
  resolve: Resolve,
): Promise<StoreQuote | undefined> {
  const { store, failure } = await findQuote(services, author, note, resolve)
  const { uri, quotedUri, approvalUri } = note
  if (!failure || quotedUri === undefined) return store
  return async (transaction, status) => {
    await store?.(transaction, status)
    const approval = approvalUri ?? null
    await transaction.run(enqueueQuote, { status, author: author.id, uri, quoted: quotedUri, approval, quotes })
  }
}

/** Whether the note has a valid QuoteAuthorization of the quoted author (FEP-044f). */
async function isQuoteAuthorized(
  services: Services,
  { uri, approvalUri }: QuotingNote,
  quoted: StoredStatus,
  quotedUri: string,
): Promise<boolean> {
  if (approvalUri === undefined || quoted.local) return false
  const owner = await readAuthor(services, quoted.account_id)
  if (!owner || !sameHost(approvalUri, owner.uri)) return false
  const approval = await fetchExactly(services, approvalUri)
  return (
    approval !== undefined &&
    typesOf(approval).includes('QuoteAuthorization') &&
    idOf(approval['interactingObject']) === uri &&
    idOf(approval['interactionTarget']) === quotedUri &&
    idOf(approval['attributedTo']) === owner.uri
  )
}
