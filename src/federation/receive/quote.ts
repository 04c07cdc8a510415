import type { Id } from '../../core/id.ts'
import { c, query, type Runner } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { fetchObject } from '../fetch/index.ts'
import { idOf, sameHost, typesOf } from '../protocol/index.ts'
import type { Note } from './note.ts'
import { readAuthor, type Author } from './incoming_activity.ts'
import type { StoredStatus } from './find_by_uri.ts'

const storeQuote = query(
  'federation/receive/quote',
  { status: c.id, account: c.id, quoted: c.id, state: c.text, approval_uri: c.nullable(c.text) },
  { events: c.events },
)

/** Stores a quote in the transaction that stores its status. */
export type StoreQuote = (transaction: Runner, status: Id) => Promise<void>

/**
 * Finds the status that a note quotes, and whether its author has authorized the quote.
 * @returns the function that stores the quote with its status; undefined when no status is found
 */
export async function prepareQuote(
  services: Services,
  author: Author,
  note: Note,
  resolve: (uri: string) => Promise<StoredStatus | undefined>,
): Promise<StoreQuote | undefined> {
  const { quotedUri, approvalUri } = note
  if (quotedUri === undefined) return undefined
  const quoted = await resolve(quotedUri)
  if (!quoted || quoted.reblog_of_id !== null) return undefined
  const isPublic = quoted.visibility === 'public' || quoted.visibility === 'unlisted'
  const isOwn = quoted.account_id === author.id
  if (!isPublic && !isOwn) return undefined
  const isApproved = isOwn || (await isQuoteAuthorized(services, note, quoted, quotedUri))
  return async (transaction, status) => {
    await transaction.run(storeQuote, {
      status,
      account: author.id,
      quoted: quoted.id,
      state: isApproved ? 'accepted' : 'pending',
      approval_uri: isApproved ? (approvalUri ?? null) : null,
    })
  }
}

/** Whether the note has a valid QuoteAuthorization of the quoted author (FEP-044f). */
async function isQuoteAuthorized(
  services: Services,
  { uri, approvalUri }: Note,
  quoted: StoredStatus,
  quotedUri: string,
): Promise<boolean> {
  if (approvalUri === undefined || quoted.local) return false
  const owner = await readAuthor(services, quoted.account_id)
  if (!owner || !sameHost(approvalUri, owner.uri)) return false
  const approval = await fetchObject(services, approvalUri)
  return (
    approval !== undefined &&
    typesOf(approval).includes('QuoteAuthorization') &&
    idOf(approval['interactingObject']) === uri &&
    idOf(approval['interactionTarget']) === quotedUri &&
    idOf(approval['attributedTo']) === owner.uri
  )
}
