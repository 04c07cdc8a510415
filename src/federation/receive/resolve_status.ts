import type { Id } from '../../core/id.ts'
import type { Services } from '../../platform/services.ts'
import { fetchObject, ignoreOutgoingFailure, mayDiscover } from '../fetch/index.ts'
import { resolveActor } from '../remote_accounts/index.ts'
import { hostOf, idOf, isObject, listOf, sameHost, textOf, type JsonObject, isStorableUri } from '../protocol/index.ts'
import { isStatusLike, readNote, type Note } from './note.ts'
import { prepareQuote } from './quote.ts'
import { readAuthor, type Author } from './incoming_activity.ts'
import { findStatusByUri, type StoredStatus } from './find_by_uri.ts'
import { storeNote, type NoteArrival } from './store_note.ts'

/** How deep quotes are fetched: the quoted status, and the status that it quotes. */
const MAX_QUOTES = 2

/** Stores a note with its quote (`storeNote`). */
export const receiveNote = (
  services: Services,
  author: Author,
  note: Note,
  arrival: NoteArrival,
  quotes = 0,
): Promise<Id | undefined> =>
  storeNote(services, author, note, arrival, async () =>
    quotes < MAX_QUOTES
      ? prepareQuote(services, author, note, quotes, uri => resolveStatus(services, uri, { quotes: quotes + 1 }))
      : undefined,
  )

/** The URI of the author of an object: the first one on the host of the object's id. */
function authorUri(object: JsonObject): string | undefined {
  const id = textOf(object['id']) ?? ''
  return listOf(object['attributedTo'])
    .map(idOf)
    .find(uri => uri !== undefined && sameHost(uri, id))
}

/** The note in a document: the document itself, or the object of an activity. */
function noteIn(document: JsonObject): JsonObject | undefined {
  if (isStatusLike(document)) return document
  const created = document['object']
  return isObject(created) &&
    isStatusLike(created) &&
    sameHost(textOf(created['id']) ?? '', textOf(document['id']) ?? '')
    ? created
    : undefined
}

const DAY_MS = 24 * 60 * 60 * 1000

/**
 * The author of a fetched object. An account that was stored before `following` was read is fetched
 * again if a policy may name that; one that has no `following` at most once a day.
 */
async function findAuthor(services: Services, actor: string, object: JsonObject): Promise<Author | undefined> {
  const account = await resolveActor(services, actor)
  const author = account === undefined ? undefined : await readAuthor(services, account)
  if (!author || author.following_url !== '' || object['interactionPolicy'] === undefined) return author
  if (author.fetched_at && author.fetched_at.getTime() > Date.now() - DAY_MS) return author
  await ignoreOutgoingFailure(resolveActor(services, actor, { refresh: true }))
  return readAuthor(services, author.id)
}

interface ResolveOptions {
  /** The number of statuses of the thread that were fetched before. */
  readonly depth?: number
  /** The number of quotes that were followed before. */
  readonly quotes?: number
  /** Receives the document if the status is fetched. */
  readonly onDocument?: (document: JsonObject) => void
}

/**
 * Finds the status with this URI; an unknown one is fetched and stored.
 * @throws OutgoingFailure when another try may succeed
 */
export async function resolveStatus(
  services: Services,
  uri: string,
  { depth = 0, quotes = 0, onDocument }: ResolveOptions = {},
): Promise<StoredStatus | undefined> {
  const { database, config } = services
  const known = await findStatusByUri(services, database, uri)
  if (known || !isStorableUri(uri) || hostOf(uri) === undefined) return known
  if (uri.startsWith(`${config.publicUrl}/`)) return undefined
  if (!mayDiscover('statuses')) return undefined
  const document = await fetchObject(services, uri)
  const object = document && noteIn(document)
  const actor = object && authorUri(object)
  if (!object || actor === undefined) return undefined
  onDocument?.(object)
  const author = await findAuthor(services, actor, object)
  if (!author || author.suspended) return undefined
  const note = await readNote(object, author)
  if (!note || note.visibility === 'private' || note.visibility === 'direct') return undefined
  await receiveNote(services, author, note, { fetched: true, depth }, quotes)
  return findStatusByUri(services, database, note.uri)
}
