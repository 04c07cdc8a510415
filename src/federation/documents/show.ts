import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import type { Context, Response } from '../../platform/http/index.ts'
import { ACTIVITY_TYPE, noteUri } from '../protocol/index.ts'
import { activityObject } from './activity.ts'
import { actorObject, serverUrls } from './actor.ts'
import { identifyReader, requireActiveActor, requireActor, sendDocument } from './document_response.ts'
import { noteObject } from './note.ts'
import { findNotes, type NoteRow, type Reader } from './note_row.ts'

const MAX_AGE_S = 180
/** The maximum age with a pending quote: short, because the authorization changes the document. */
const PENDING_AGE_S = 5

/** The document of a local account. @throws ApiError routeNotFound, forbidden, gone */
export async function showActor(context: Context, account: Id): Promise<Response> {
  await identifyReader(context)
  const row = await requireActor(context, account)
  return sendDocument(context, await actorObject(context, row), MAX_AGE_S)
}

/** The document of a hashtag, which lists nothing. */
export async function showHashtag(context: Context, url: string): Promise<Response> {
  await identifyReader(context)
  return sendDocument(context, { id: url, type: 'OrderedCollection', totalItems: 0 }, MAX_AGE_S)
}

const isListed = ({ visibility }: NoteRow): boolean => visibility === 'public' || visibility === 'unlisted'

/** A status, if the reader may see it. @throws ApiError routeNotFound, forbidden, gone */
export async function requireNote(context: Context, reader: Reader, account: Id, status: Id): Promise<NoteRow> {
  await requireActiveActor(context, account)
  const [row] = await findNotes(context, reader, [status])
  if (row?.account_id !== account) throw new ApiError('routeNotFound')
  return row
}

const maxAgeOf = ({ quote }: NoteRow): number => (quote?.state === 'pending' ? PENDING_AGE_S : MAX_AGE_S)

/** Sends a document of a status; it is not cached unless the status is public or unlisted. */
export const sendNoteDocument = (context: Context, object: object, row: NoteRow, maxAgeS = maxAgeOf(row)): Response =>
  isListed(row) ? sendDocument(context, object, maxAgeS) : sendDocument(context, object, 0, true)

/** The document of a status. @throws ApiError routeNotFound, forbidden, gone */
export async function showNote(context: Context, account: Id, status: Id): Promise<Response> {
  const reader = await identifyReader(context)
  const row = await requireNote(context, reader, account, status)
  if (row.boosted !== null) return showActivityOf(context, reader, row)
  const urls = serverUrls(context)
  const link = `<${noteUri(urls.publicUrl, account, status)}>; rel="alternate"; type="${ACTIVITY_TYPE}"`
  return sendNoteDocument(context, noteObject(row, urls), row).with({ Link: link })
}

/**
 * The activity that created a status, or the boost.
 * @throws ApiError routeNotFound, forbidden, gone
 */
export async function showActivity(context: Context, account: Id, status: Id): Promise<Response> {
  const reader = await identifyReader(context)
  return showActivityOf(context, reader, await requireNote(context, reader, account, status))
}

async function showActivityOf(context: Context, reader: Reader, row: NoteRow): Promise<Response> {
  const own = await findOwnBoosted(context, reader, row)
  return sendNoteDocument(context, activityObject(row, serverUrls(context), own), row)
}

/** Finds the boosted status if the account has boosted its own. */
async function findOwnBoosted(context: Context, reader: Reader, { boosted, account_id: author }: NoteRow) {
  if (boosted?.account_id !== author) return undefined
  return (await findNotes(context, reader, [boosted.id]))[0]
}

/** The activities that created these statuses. */
export async function loadActivities(context: Context, reader: Reader, ids: readonly Id[]): Promise<object[]> {
  const rows = await findNotes(context, reader, ids)
  const inner = rows.flatMap(({ boosted, account_id: author }) => (boosted?.account_id === author ? [boosted.id] : []))
  const own = new Map((await findNotes(context, reader, inner)).map(row => [row.id, row]))
  const urls = serverUrls(context)
  return rows.map(row => activityObject(row, urls, row.boosted === null ? undefined : own.get(row.boosted.id)))
}
