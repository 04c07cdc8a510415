import { ApiError } from '../../core/errors.ts'
import { parseId, type Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import { operation, param, type Context } from '../../platform/http/index.ts'
import { actorUri, contextUri, noteUri } from '../protocol/index.ts'
import { DOCUMENT, identifyReader } from './document_response.ts'
import { requireNote, sendNoteDocument } from './show.ts'
import type { NoteRow } from './note_row.ts'

/*
 * Conversations that began with a local status: collections of the URIs of their public and
 * unlisted statuses.
 */

const readThread = query(
  'federation/documents/thread',
  { root: c.id, min_id: c.nullable(c.id) },
  { id: c.id, account_id: c.id, uri: c.nullable(c.text) },
)

const MAX_AGE_S = 180
const PAGE_SIZE = 60

/** The first status of the conversation that the path names. @throws ApiError routeNotFound */
async function requireRoot(context: Context, name: string): Promise<{ account: Id; status: Id; row: NoteRow }> {
  const [account, status] = name.split('-', 2).map(parseId)
  if (account === undefined || status === undefined) throw new ApiError('routeNotFound')
  const row = await requireNote(context, await identifyReader(context), account, status)
  if (row.root?.status !== status || row.boosted !== null) throw new ApiError('routeNotFound')
  return { account, status, row }
}

async function page(context: Context, account: Id, status: Id, min_id: Id | undefined): Promise<object> {
  const { publicUrl } = context.config
  const items = `${contextUri(publicUrl, account, status)}/items`
  const rows = await context.database.run(readThread, { root: status, min_id: min_id ?? null })
  const last = rows.at(-1)
  return {
    id: min_id === undefined ? items : `${items}?min_id=${min_id}`,
    type: 'CollectionPage',
    partOf: contextUri(publicUrl, account, status),
    ...(last && rows.length === PAGE_SIZE && { next: `${items}?min_id=${last.id}` }),
    items: rows.map(row => row.uri ?? noteUri(publicUrl, row.account_id, row.id)),
  }
}

const thread = operation({
  ...DOCUMENT,
  path: '/contexts/:name',
  summary: 'A conversation that began here, for other servers',
  params: { name: param.string() },
  async handle({ name }, context) {
    const { account, status, row } = await requireRoot(context, name)
    const { publicUrl } = context.config
    const document = {
      id: contextUri(publicUrl, account, status),
      type: 'Collection',
      attributedTo: actorUri(publicUrl, account),
      first: await page(context, account, status, undefined),
    }
    return sendNoteDocument(context, document, row, MAX_AGE_S)
  },
})

const items = operation({
  ...DOCUMENT,
  path: '/contexts/:name/items',
  summary: 'A page of the posts of a conversation, for other servers',
  params: { name: param.string(), min_id: param.cursor({ description: 'newer than this' }) },
  async handle({ name, min_id }, context) {
    const { account, status, row } = await requireRoot(context, name)
    return sendNoteDocument(context, await page(context, account, status, min_id), row, MAX_AGE_S)
  },
})

export const threadOperations = [thread, items]
