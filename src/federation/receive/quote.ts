import type { Id } from '../../core/id.ts'
import { c, query, type Runner } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { fetchObject } from '../fetch/index.ts'
import { idOf, sameHost, typesOf } from '../protocol/index.ts'
import type { Note } from './note.ts'
import { readAuthor, type Author } from './receiving.ts'
import type { KnownStatus } from './references.ts'

const storeQuote = query(
  'federation/receive/quote',
  { status: c.id, account: c.id, quoted: c.id, state: c.text, approval_uri: c.nullable(c.text) },
  { events: c.events },
)

/** Stores a quote in the transaction that stores its status. */
export type StoreQuote = (transaction: Runner, status: Id) => Promise<void>

/**
 * Finds what a note quotes, and whether its author agreed: the returned function stores the quote
 * with its status. Undefined when nothing is quoted that can be found.
 */
export async function receiveQuote(
  services: Services,
  author: Author,
  note: Note,
  resolve: (uri: string) => Promise<KnownStatus | undefined>,
): Promise<StoreQuote | undefined> {
  const { quotedUri, approvalUri } = note
  if (quotedUri === undefined) return undefined
  const quoted = await resolve(quotedUri)
  if (!quoted || quoted.reblog_of_id !== null) return undefined
  const isListed = quoted.visibility === 'public' || quoted.visibility === 'unlisted'
  const isOwn = quoted.account_id === author.id
  if (!isListed && !isOwn) return undefined
  const isApproved = isOwn || (await isAuthorized(services, note, quoted, quotedUri))
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

/** Whether the quoted author's server says that this note may quote (FEP-044f). */
async function isAuthorized(
  services: Services,
  { uri, approvalUri }: Note,
  quoted: KnownStatus,
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
