import type { Id } from '../../core/id.ts'
import type { Services } from '../../platform/services.ts'
import { fetchObject, mayDiscover } from '../fetch/index.ts'
import { resolveActor } from '../remote_accounts/index.ts'
import { hostOf, idOf, isObject, listOf, sameHost, textOf, type JsonObject } from '../protocol/index.ts'
import { isStatusLike, readNote, type Note } from './note.ts'
import { receiveQuote } from './quote.ts'
import { readAuthor, type Author } from './receiving.ts'
import { isBounded, knownStatus, type KnownStatus } from './references.ts'
import { storeNote, type Arrival } from './store_note.ts'

/** How deep quotes are fetched: the quoted status and the one that it quotes. */
const MAX_QUOTES = 2

/** Stores a note, as `storeNote` does, with what it quotes. */
export const takeNote = (
  services: Services,
  author: Author,
  note: Note,
  arrival: Arrival,
  quotes = 0,
): Promise<Id | undefined> =>
  storeNote(services, author, note, arrival, async () =>
    quotes < MAX_QUOTES
      ? receiveQuote(services, author, note, uri => resolveStatus(services, uri, { quotes: quotes + 1 }))
      : undefined,
  )

/** The author of an object: of several, the one on the host of its id. */
function authorOf(object: JsonObject): string | undefined {
  const id = textOf(object['id']) ?? ''
  return listOf(object['attributedTo'])
    .map(idOf)
    .find(uri => uri !== undefined && sameHost(uri, id))
}

/** The note that a document is, or that the activity in it creates. */
function noteIn(document: JsonObject): JsonObject | undefined {
  if (isStatusLike(document)) return document
  const created = document['object']
  return isObject(created) &&
    isStatusLike(created) &&
    sameHost(textOf(created['id']) ?? '', textOf(document['id']) ?? '')
    ? created
    : undefined
}

interface Resolving {
  /** How many statuses of the thread led to it. */
  readonly depth?: number
  /** How many that quote each other did. */
  readonly quotes?: number
  /** Gets its document when it is fetched. */
  readonly onDocument?: (document: JsonObject) => void
}

/**
 * The status with this URI, fetched from its server when it is unknown.
 * @throws OutgoingFailure when another try may succeed
 */
export async function resolveStatus(
  services: Services,
  uri: string,
  { depth = 0, quotes = 0, onDocument }: Resolving = {},
): Promise<KnownStatus | undefined> {
  const { database, config } = services
  const known = await knownStatus(services, database, uri)
  if (known || !isBounded(uri) || hostOf(uri) === undefined) return known
  if (uri.startsWith(`${config.publicUrl}/`)) return undefined
  if (!mayDiscover('statuses')) return undefined
  const document = await fetchObject(services, uri)
  const object = document && noteIn(document)
  const by = object && authorOf(object)
  if (!object || by === undefined) return undefined
  onDocument?.(object)
  const account = await resolveActor(services, by)
  const author = account === undefined ? undefined : await readAuthor(services, account)
  if (!author || author.suspended) return undefined
  const note = await readNote(object, author)
  if (!note || note.visibility === 'private' || note.visibility === 'direct') return undefined
  await takeNote(services, author, note, { fetched: true, depth }, quotes)
  return knownStatus(services, database, note.uri)
}
