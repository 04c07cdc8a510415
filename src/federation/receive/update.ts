import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { scheduleEnd } from '../../statuses/polls/index.ts'
import { readActor } from '../actors/index.ts'
import { resolveActor, storeActor, storeEmojis, wasDeleted } from '../remote_accounts/index.ts'
import { hostOf, idOf, isObject, typesOf, type JsonObject } from '../protocol/index.ts'
import { editedMentions } from './addressees.ts'
import { resolveObject } from './create.ts'
import { readNote, type Note } from './note.ts'
import type { NoteMedia } from './note_media.ts'
import type { NotePoll } from './note_parts.ts'
import { prepareQuote, type StoreQuote } from './quote.ts'
import { receivingTransaction, type Author, type IncomingActivity } from './incoming_activity.ts'
import { findStatusByUri, resolveAccounts, type StoredStatus } from './find_by_uri.ts'
import { retryMentions } from './fetch_mentions.ts'
import { hasLink } from './store_note.ts'
import { resolveStatus, receiveNote } from './resolve_status.ts'
import { updateCollection } from './remote_collections.ts'
import { hasTombstone } from './tombstones.ts'

const edit = query(
  'federation/receive/edit',
  {
    status: c.id,
    author: c.id,
    content: c.text,
    spoiler_text: c.text,
    sensitive: c.boolean,
    language: c.nullable(c.text),
    updated: c.nullable(c.timestamp),
    mentioned: c.ids,
    tags: c.texts,
    display_tags: c.texts,
    media: c.json<readonly NoteMedia[]>(),
    poll: c.nullable(c.json<NotePoll>()),
    quote_policy: c.text,
    has_link: c.boolean,
    link: c.nullable(c.text),
  },
  { edited: c.boolean, poll_id: c.nullable(c.id), events: c.events },
)

const countElsewhere = query(
  'federation/receive/count_elsewhere',
  { status: c.id, author: c.id, favourites: c.nullable(c.integer), reblogs: c.nullable(c.integer) },
  { id: c.id, events: c.events },
)

const hasDecidedQuote = query('federation/receive/has_decided_quote', { status: c.id }, { decided: c.boolean })

/** An Update stores an unknown status, unless the status is older than this. */
const MAX_UNKNOWN_AGE_MS = 24 * 60 * 60 * 1000

/** A profile that others pass on is not fetched again sooner: several relays may pass it on. */
const MIN_REFETCH_MS = 5 * 60 * 1000

/** Updates the actor itself; a new username must be confirmed by WebFinger. */
async function updateActor(
  services: Services,
  { activity, author, actorUri, deliveredBy }: IncomingActivity,
  document: JsonObject,
): Promise<void> {
  const actor = readActor(document)
  if (!actor || (author.suspended && (await wasDeleted(services, actorUri)))) return
  // Only what the activity contains is signed; a fetched document may be an old one from a cache.
  const signed = isObject(activity['object'])
  const isRenamed = actor.username.toLowerCase() !== author.username.toLowerCase()
  // What others pass on may be a profile of years ago.
  const isForwarded = deliveredBy !== undefined && deliveredBy !== hostOf(actorUri)
  if (isForwarded && Date.now() - Number(author.fetched_at) < MIN_REFETCH_MS) return
  if (isRenamed || isForwarded) await resolveActor(services, actorUri, { refresh: true })
  else await storeActor(services, { ...actor, username: author.username, domain: author.domain }, { signed })
}

/** Prepares the quote of a status again: a pending quote may have been authorized since. */
async function prepareChangedQuote(
  services: Services,
  author: Author,
  { id }: StoredStatus,
  note: Note,
): Promise<StoreQuote | undefined> {
  if (note.quotedUri === undefined) return undefined
  if ((await services.database.one(hasDecidedQuote, { status: id }))?.decided) return undefined
  return prepareQuote(services, author, note, 0, uri => resolveStatus(services, uri, { quotes: 1 }))
}

/**
 * Updates a stored status to the version of its author's server.
 * @param recipient the owner of the inbox that the version was delivered to
 */
export async function updateStatus(
  services: Services,
  author: Author,
  stored: StoredStatus,
  note: Note,
  recipient?: Id,
): Promise<void> {
  const mentions = await editedMentions(services, note, stored, recipient)
  const { accounts, unanswered } = await resolveAccounts(services, mentions)
  const mentioned = new Set(mentions.flatMap(uri => accounts.get(uri)?.id ?? []))
  mentioned.delete(author.id)
  const quote = await prepareChangedQuote(services, author, stored, note)
  await receivingTransaction(services, async transaction => {
    await storeEmojis(transaction, author.domain, note.document['tag'])
    const row = await transaction.one(edit, {
      status: stored.id,
      author: author.id,
      content: note.content,
      spoiler_text: note.spoilerText,
      sensitive: note.sensitive || author.sensitized,
      language: note.language ?? null,
      updated: note.updated ?? null,
      mentioned: [...mentioned],
      tags: [...note.hashtags.keys()],
      display_tags: [...note.hashtags.values()],
      media: note.media,
      poll: note.poll ?? null,
      quote_policy: note.quotePolicy,
      has_link: hasLink(note),
      link: note.link ?? null,
    })
    if (row?.poll_id && note.poll?.expires_at) await scheduleEnd(transaction, row.poll_id, note.poll.expires_at)
    if (row && (note.likes !== null || note.shares !== null)) {
      const counts = { favourites: note.likes, reblogs: note.shares }
      await transaction.run(countElsewhere, { status: stored.id, author: author.id, ...counts })
    }
    if (row && quote) await quote(transaction, stored.id)
    if (row?.edited) await retryMentions(transaction, stored.id, unanswered)
  })
}

/** Update: the actor changes itself, or one of its statuses or collections. */
export async function receiveUpdate(services: Services, incoming: IncomingActivity): Promise<void> {
  const { author, actorUri, recipient, fetched, deliveredBy } = incoming
  const object = await resolveObject(services, incoming)
  if (!object) return
  if (idOf(object) === actorUri) return updateActor(services, incoming, object)
  if (typesOf(object).includes('FeaturedCollection')) return updateCollection(services, incoming, object)
  const note = await readNote(object, author)
  if (!note || (await hasTombstone(services.database, author.id, [note.uri]))) return
  const stored = await findStatusByUri(services, services.database, note.uri)
  if (stored?.account_id === author.id) return updateStatus(services, author, stored, note, recipient)
  const isOld = note.published !== undefined && note.published.getTime() < Date.now() - MAX_UNKNOWN_AGE_MS
  // The activity is processed for a suspended author too, who must not post.
  if (!stored && !isOld && !author.suspended)
    await receiveNote(services, author, note, { recipient, fetched, deliveredBy })
}
