import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { scheduleEnd } from '../../statuses/polls/index.ts'
import { isRelayedBy } from '../relays/index.ts'
import { storeEmojis } from '../remote_accounts/index.ts'
import { collectAddressees, effectiveMentions, isListed, localAddressees, type Addressees } from './addressees.ts'
import type { Note } from './note.ts'
import type { StoreQuote } from './quote.ts'
import { receivingTransaction, type Author, type Prefetched } from './incoming_activity.ts'
import { findAccountsByUri, findStatusByUri, resolveAccounts, type StoredStatus } from './find_by_uri.ts'
import { retryMentions } from './fetch_mentions.ts'
import { receiveStatus, storeStatuses, type StatusToStore } from './batched_writes.ts'
import { hasTombstone } from './tombstones.ts'

const isRelevantParent = query('federation/receive/is_relevant_parent', { parent: c.id }, { relevant: c.boolean })
const addRecipient = query('federation/receive/add_recipient', { status: c.id, account: c.id }, { events: c.events })

/** Nobody is notified of a delivered status that is older than this. */
export const RECENT_MS = 6 * 60 * 60 * 1000
const MIN_EDIT_MS = 1000

/** The maximum number of ancestors that are fetched for one status. */
const MAX_ANCESTORS = 40

/** How a note arrived. */
export interface NoteArrival {
  /** The owner of the personal inbox that it was delivered to. */
  readonly recipient?: Id | undefined
  /** The host of the server that delivered it; deliveries of relays are relevant. */
  readonly deliveredBy?: string | undefined
  /** Whether this server requested it, so that it is relevant. */
  readonly fetched?: boolean | undefined
  readonly prefetched?: Prefetched | undefined
  /** The number of statuses of the thread that were fetched before this one. */
  readonly depth?: number | undefined
}

function visibilityOf(note: Note, { silent }: Addressees): StatusToStore['visibility'] {
  return note.visibility === 'direct' && silent.length > 0 ? 'limited' : note.visibility
}

/**
 * Stores a note of another server, unless it is stored, was deleted or is not relevant here.
 * @param findQuote finds the quoted status; called only if the note will be stored
 * @returns the id of the new or existing status
 */
export async function storeNote(
  services: Services,
  author: Author,
  note: Note,
  arrival: NoteArrival,
  findQuote: () => Promise<StoreQuote | undefined>,
): Promise<Id | undefined> {
  const { database } = services
  const { prefetched } = arrival
  const existing = await findStatusByUri(services, database, note.uri, prefetched?.statuses)
  // Another author's status with this URI is not to be opened to anybody.
  if (existing) return existing.account_id === author.id ? addRecipientTo(services, existing, arrival) : undefined
  if (await hasTombstone(database, author.id, [note.uri], prefetched?.gone)) return undefined
  const parent =
    prefetched?.statuses.get(note.parentUri ?? '') ?? (await findStatusByUri(services, database, note.parentUri))
  const known = await findAccountsByUri(
    services,
    [...new Set([...note.mentions, ...note.audience])],
    prefetched?.accounts,
  )
  const { recipient } = arrival
  const mentions = effectiveMentions(note, known, recipient)
  const isForLocal = localAddressees(note, mentions, known, recipient).length > 0
  if (!arrival.fetched && !isForLocal && !(await isRelevant(services, author, note, parent, arrival))) return undefined
  const { accounts: named, unanswered } = await resolveAccounts(services, mentions, prefetched?.accounts)
  const { mentioned, silent } = collectAddressees(note, author.id, mentions, { named, known }, recipient)
  const published = note.published ?? new Date()
  const depth = arrival.depth ?? 0
  const quote = await findQuote()
  await storeEmojis(database, author.domain, note.document['tag'])
  const later = { quote, unanswered }
  const stored = await store(services, note, later, {
    author: author.id,
    uri: note.uri,
    // Misskey and Lemmy serve the web page under the id itself.
    page: note.url ?? note.uri,
    content: note.content,
    spoiler_text: note.spoilerText,
    visibility: visibilityOf(note, { mentioned, silent }),
    sensitive: note.sensitive || author.sensitized,
    language: note.language ?? null,
    published,
    edited: editedAt(note, published),
    parent: parent?.id ?? null,
    conversation: note.conversationUri ?? null,
    mentioned,
    silent,
    tags: [...note.hashtags.keys()],
    display_tags: [...note.hashtags.values()],
    media: note.media,
    poll: note.poll ?? null,
    quote_policy: note.quotePolicy,
    likes: note.likes,
    shares: note.shares,
    notified: arrival.fetched === true || published.getTime() > Date.now() - RECENT_MS,
    has_link: quote === undefined && hasLink(note),
    link: note.link ?? null,
    parent_unknown: note.parentUri !== undefined && !parent,
    missing_parent: parent || depth >= MAX_ANCESTORS ? null : missingParent(services, note),
    depth,
  })
  return stored ?? (await findStatusByUri(services, database, note.uri))?.id
}

/** PeerTube's `updated` is some milliseconds after `published` when nothing was edited. */
const editedAt = ({ updated }: Note, published: Date): Date | null =>
  updated !== undefined && updated.getTime() - published.getTime() >= MIN_EDIT_MS ? updated : null

/**
 * Stores a status in a batch with others; one with a poll, a quote or mentions that are to be found
 * later needs its own transaction.
 */
async function store(
  services: Services,
  { poll }: Note,
  { quote, unanswered }: { quote: StoreQuote | undefined; unanswered: readonly string[] },
  status: StatusToStore,
): Promise<Id | undefined> {
  if (!poll && !quote && unanswered.length === 0) return (await receiveStatus(services)(status))?.id
  const stored = receivingTransaction(services, async transaction => {
    const row = await transaction.one(storeStatuses, { given: [status] })
    if (row?.poll_id && poll?.expires_at && !poll.ended_at) await scheduleEnd(transaction, row.poll_id, poll.expires_at)
    if (row && quote) await quote(transaction, row.id)
    if (row) await retryMentions(transaction, row.id, unanswered)
    return row?.id
  })
  return services.events.notifyAfter(stored)
}

/** The URI of the parent if it is on another server. Only called when the parent is not stored. */
const missingParent = ({ config }: Services, { parentUri }: Note): string | null =>
  parentUri === undefined || parentUri.startsWith(`${config.publicUrl}/`) ? null : parentUri

/** Whether a preview card may be shown. */
export const hasLink = ({ media, content, link }: Note): boolean =>
  media.length === 0 && (link !== undefined || content.includes('<a '))

async function addRecipientTo({ database }: Services, { id }: StoredStatus, { recipient }: NoteArrival): Promise<Id> {
  if (recipient !== undefined) await database.run(addRecipient, { status: id, account: recipient })
  return id
}

/**
 * Whether a note that is not addressed to local accounts is relevant here: its author has local
 * followers, it replies to a relevant status, or a relay delivered it.
 */
async function isRelevant(
  services: Services,
  author: Author,
  note: Note,
  parent: StoredStatus | undefined,
  { deliveredBy }: NoteArrival,
): Promise<boolean> {
  if (author.followed && note.visibility !== 'direct') return true
  if (!isListed(note)) return false
  if (parent && (await services.database.one(isRelevantParent, { parent: parent.id }))?.relevant === true) return true
  return isRelayedBy(services, deliveredBy, author.uri)
}
