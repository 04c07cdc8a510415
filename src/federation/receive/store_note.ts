import type { Id } from '../../core/id.ts'
import { c, query, type Runner } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { scheduleEnd } from '../../statuses/polls/index.ts'
import { isRelayedBy } from '../relays/index.ts'
import { storeEmojis } from '../remote_accounts/index.ts'
import type { Note } from './note.ts'
import type { NotePoll } from './note_parts.ts'
import type { StoreQuote } from './quote.ts'
import { inReceipt, type Author, type Prefetched } from './receiving.ts'
import { knownAccounts, knownStatus, namedAccounts, type KnownAccount, type KnownStatus } from './references.ts'
import { receiveStatus, storeStatuses, type StatusToStore } from './store_together.ts'
import { hasTombstone } from './tombstones.ts'

const isRelevant = query('federation/receive/relevant', { parent: c.id }, { relevant: c.boolean })
const addRecipient = query('federation/receive/add_recipient', { status: c.id, account: c.id }, {})

/** Nobody is notified of a status that is older than this when it arrives. */
export const RECENT_MS = 6 * 60 * 60 * 1000

/** The most ancestors that are fetched for one status. */
const MAX_ANCESTORS = 40

/** How a note arrived. */
export interface Arrival {
  /** The owner of the personal inbox that it was delivered to. */
  readonly recipient?: Id | undefined
  /** The host of the server that delivered it; deliveries of relays are wanted. */
  readonly deliveredBy?: string | undefined
  /** It was requested, so it is wanted. */
  readonly fetched?: boolean | undefined
  readonly prefetched?: Prefetched | undefined
  /** How many statuses that led to this one were fetched before. */
  readonly depth?: number | undefined
}

/** The accounts that a note mentions, and others that may see it. */
interface Addressees {
  readonly mentioned: Id[]
  readonly silent: Id[]
}

/** Local accounts that are addressed without being named, and the owner of the inbox. */
function addressees(
  note: Note,
  author: Id,
  named: ReadonlyMap<string, KnownAccount>,
  known: ReadonlyMap<string, KnownAccount>,
  recipient: Id | undefined,
): Addressees {
  const mentioned = new Set(note.mentions.flatMap(uri => named.get(uri)?.id ?? []))
  const silent = new Set<Id>(recipient === undefined ? [] : [recipient])
  for (const uri of note.audience) {
    const account = known.get(uri)
    if (account?.isLocal) silent.add(account.id)
  }
  mentioned.delete(author)
  for (const id of mentioned) silent.delete(id)
  return { mentioned: [...mentioned], silent: [...silent] }
}

function visibilityOf(note: Note, { silent }: Addressees): StatusToStore['visibility'] {
  return note.visibility === 'direct' && silent.length > 0 ? 'limited' : note.visibility
}

/**
 * Stores a note of another server, unless it is known, was deleted, or nobody here wants it.
 * @param findQuote what it quotes; called when it is stored
 * @returns its id, also when it is known
 */
export async function storeNote(
  services: Services,
  author: Author,
  note: Note,
  arrival: Arrival,
  findQuote: () => Promise<StoreQuote | undefined>,
): Promise<Id | undefined> {
  const { database } = services
  const { prefetched } = arrival
  const existing = await knownStatus(services, database, note.uri, prefetched?.statuses)
  if (existing) return arrivedAgain(services, existing, arrival)
  if (await hasTombstone(database, [note.uri], prefetched?.gone)) return undefined
  const parent =
    prefetched?.statuses.get(note.parentUri ?? '') ?? (await knownStatus(services, database, note.parentUri))
  const known = await knownAccounts(services, [...new Set([...note.mentions, ...note.audience])], prefetched?.accounts)
  if (!arrival.fetched && !(await isWanted(services, author, note, parent, known, arrival))) return undefined
  const named = await namedAccounts(services, note.mentions, prefetched?.accounts)
  const { mentioned, silent } = addressees(note, author.id, named, known, arrival.recipient)
  const published = note.published ?? new Date()
  const depth = arrival.depth ?? 0
  const quote = await findQuote()
  await storeEmojis(database, author.domain, note.document['tag'])
  const stored = await store(services, note, quote, {
    author: author.id,
    uri: note.uri,
    // Misskey and Lemmy show a page under the id itself.
    page: note.url ?? note.uri,
    content: note.content,
    spoiler_text: note.spoilerText,
    visibility: visibilityOf(note, { mentioned, silent }),
    sensitive: note.sensitive || author.sensitized,
    language: note.language ?? null,
    published,
    parent: parent?.id ?? null,
    conversation: note.conversationUri ?? null,
    mentioned,
    silent,
    tags: [...note.hashtags.keys()],
    display_tags: [...note.hashtags.values()],
    media: note.media,
    poll: note.poll ?? null,
    quote_policy: note.quotePolicy,
    notified: arrival.fetched === true || published.getTime() > Date.now() - RECENT_MS,
    has_link: quote === undefined && hasLink(note),
    missing_parent: parent || depth >= MAX_ANCESTORS ? null : missingParent(services, note),
    depth,
  })
  return stored ?? (await knownStatus(services, database, note.uri))?.id
}

/** Together with others; only a poll or a quote needs a transaction of its own. */
async function store(
  services: Services,
  { poll }: Note,
  quote: StoreQuote | undefined,
  given: StatusToStore,
): Promise<Id | undefined> {
  if (!poll && !quote) return (await receiveStatus(services)(given))?.id
  const stored = inReceipt(services, async transaction => {
    const row = await transaction.one(storeStatuses, { given: [given] })
    if (row?.poll_id && poll) await endLater(transaction, row.poll_id, poll)
    if (row && quote) await quote(transaction, row.id)
    return row?.id
  })
  return services.events.notifyAfter(stored)
}

/** What it answers, if that is on another server: it is not known here yet. */
const missingParent = ({ config }: Services, { parentUri }: Note): string | null =>
  parentUri === undefined || parentUri.startsWith(`${config.publicUrl}/`) ? null : parentUri

/** Whether it may show the preview of a page. */
export const hasLink = ({ media, content }: Note): boolean => media.length === 0 && content.includes('<a ')

/** Local voters are notified of the end of a poll that runs. */
export async function endLater(transaction: Runner, poll: Id, { expires_at: endsAt, ended_at: ended }: NotePoll) {
  if (endsAt !== null && ended === null) await scheduleEnd(transaction, poll, endsAt)
}

async function arrivedAgain({ database }: Services, { id }: KnownStatus, { recipient }: Arrival): Promise<Id> {
  if (recipient !== undefined) await database.run(addRecipient, { status: id, account: recipient })
  return id
}

/**
 * Whether anybody here wants it: it is addressed to local accounts, for followers of its author, or
 * answers what is of interest here.
 */
async function isWanted(
  services: Services,
  author: Author,
  note: Note,
  parent: KnownStatus | undefined,
  known: ReadonlyMap<string, KnownAccount>,
  { recipient, deliveredBy }: Arrival,
): Promise<boolean> {
  const addressed = [...known.values()].filter(({ isLocal }) => isLocal).map(({ id }) => id)
  if (recipient !== undefined) addressed.push(recipient)
  const listed = note.visibility === 'public' || note.visibility === 'unlisted'
  if (addressed.length > 0 || (author.followed && note.visibility !== 'direct')) return true
  const isAnswer = listed && parent !== undefined
  if (isAnswer && (await services.database.one(isRelevant, { parent: parent.id }))?.relevant === true) return true
  return listed && (await isRelayedBy(services, deliveredBy, author.uri))
}
