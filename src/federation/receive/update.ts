import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { readActor } from '../actors/index.ts'
import { resolveActor, storeActor, storeEmojis } from '../remote_accounts/index.ts'
import { idOf, typesOf, type JsonObject } from '../protocol/index.ts'
import { objectOf } from './create.ts'
import { readNote, type Note } from './note.ts'
import type { NoteMedia, NotePoll } from './note_parts.ts'
import { receiveQuote, type StoreQuote } from './quote.ts'
import { inReceipt, type Author, type Receiving } from './receiving.ts'
import { knownStatus, namedAccounts, type KnownStatus } from './references.ts'
import { endLater, hasLink } from './store_note.ts'
import { resolveStatus, takeNote } from './take_note.ts'
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
  },
  { edited: c.boolean, poll_id: c.nullable(c.id), events: c.events },
)

const hasSettledQuote = query('federation/receive/has_settled_quote', { status: c.id }, { settled: c.boolean })

/** An unknown status is stored by an Update too, unless it is older. */
const MAX_UNKNOWN_AGE_MS = 24 * 60 * 60 * 1000

/** The actor itself; under a new name only after its server has confirmed that. */
async function updateActor(services: Services, { author, actorUri }: Receiving, document: JsonObject): Promise<void> {
  const actor = readActor(document)
  if (!actor) return
  const isRenamed = actor.username.toLowerCase() !== author.username.toLowerCase()
  if (isRenamed) await resolveActor(services, actorUri, { refresh: true })
  else await storeActor(services, { ...actor, username: author.username, domain: author.domain }, { signed: true })
}

/** A quote that was pending may have been permitted since. */
async function changedQuote(
  services: Services,
  author: Author,
  { id }: KnownStatus,
  note: Note,
): Promise<StoreQuote | undefined> {
  if (note.quotedUri === undefined) return undefined
  if ((await services.database.one(hasSettledQuote, { status: id }))?.settled) return undefined
  return receiveQuote(services, author, note, uri => resolveStatus(services, uri, { quotes: 1 }))
}

/** Changes a stored status to what its author's server says. */
export async function updateStatus(services: Services, author: Author, known: KnownStatus, note: Note): Promise<void> {
  const named = await namedAccounts(services, note.mentions)
  const mentioned = new Set(note.mentions.flatMap(uri => named.get(uri)?.id ?? []))
  mentioned.delete(author.id)
  const quote = await changedQuote(services, author, known, note)
  await inReceipt(services, async transaction => {
    await storeEmojis(transaction, author.domain, note.document['tag'])
    const row = await transaction.one(edit, {
      status: known.id,
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
    })
    if (row?.poll_id && note.poll) await endLater(transaction, row.poll_id, note.poll)
    if (row && quote) await quote(transaction, known.id)
  })
}

/** Update: of the actor itself, or of one of its statuses or collections. */
export async function receiveUpdate(services: Services, receiving: Receiving): Promise<void> {
  const { author, actorUri, recipient, fetched, deliveredBy } = receiving
  const object = await objectOf(services, receiving)
  if (!object) return
  if (idOf(object) === actorUri) return updateActor(services, receiving, object)
  if (typesOf(object).includes('FeaturedCollection')) return updateCollection(services, receiving, object)
  const note = await readNote(object, author)
  if (!note || (await hasTombstone(services.database, [note.uri]))) return
  const known = await knownStatus(services, services.database, note.uri)
  if (known?.account_id === author.id) return updateStatus(services, author, known, note)
  const isRecent = (note.published?.getTime() ?? 0) > Date.now() - MAX_UNKNOWN_AGE_MS
  if (!known && isRecent) await takeNote(services, author, note, { recipient, fetched, deliveredBy })
}
