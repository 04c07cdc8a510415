import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import { operation, param, type Context, type Response } from '../../platform/http/index.ts'
import { noteUri } from '../protocol/index.ts'
import { serverUrls } from './actor.ts'
import { DOCUMENT, identifyReader, requireActiveActor, sendDocument } from './document_response.ts'
import { noteObject } from './note.ts'
import { ANONYMOUS, findNotes, type NoteRow } from './note_row.ts'
import { quoteAuthorization } from './quote_authorization.ts'
import type { StatusReference } from './reference.ts'
import { requireNote, sendNoteDocument } from './show.ts'

const readReplies = query(
  'federation/documents/replies',
  { status: c.id, author: c.id, others: c.boolean, min_id: c.nullable(c.id) },
  { id: c.id, account_id: c.id, uri: c.nullable(c.text) },
)
const findAuthorization = query(
  'federation/documents/quote_authorization',
  { account: c.id, quote: c.id },
  { quoting: c.nullable(c.json<StatusReference>()), quoted: c.nullable(c.json<StatusReference>()) },
)

const REPLIES_PAGE_SIZE = 60
const AUTHORIZATION_AGE_S = 30

const STATUS_PARAMS = { id: param.id(), status_id: param.id() }

/** A page of replies: first the author's own with their content, then the URIs of the others. */
async function repliesPage(context: Context, row: NoteRow, others: boolean, min_id: Id | undefined): Promise<Response> {
  const { publicUrl } = context.config
  const uri = `${noteUri(publicUrl, row.account_id, row.id)}/replies`
  const bounds = { status: row.id, author: row.account_id, others, min_id: min_id ?? null }
  const replies = await context.database.run(readReplies, bounds)
  const last = replies.at(-1)
  const isFull = replies.length === REPLIES_PAGE_SIZE
  const scope = others ? '&only_other_accounts=true' : ''
  const next =
    isFull && last ? `${uri}?min_id=${last.id}${scope}&page=true` : `${uri}?only_other_accounts=true&page=true`
  const ids = replies.map(({ id }) => id)
  const own = others ? [] : await findNotes(context, ANONYMOUS, ids)
  const urls = serverUrls(context)
  const items = others
    ? replies.map(reply => reply.uri ?? noteUri(publicUrl, reply.account_id, reply.id))
    : own.toReversed().map(note => noteObject(note, urls))
  const page = {
    id: `${uri}?${min_id === undefined ? '' : `min_id=${min_id}&`}${others ? 'only_other_accounts=true&' : ''}page=true`,
    type: 'CollectionPage',
    ...((isFull || !others) && { next }),
    partOf: uri,
    items,
  }
  return sendNoteDocument(context, page, row, 0)
}

const replies = operation({
  ...DOCUMENT,
  path: '/ap/users/:id/statuses/:status_id/replies',
  summary: 'Replies to a post, for other servers',
  params: {
    ...STATUS_PARAMS,
    page: param.boolean({ optional: true }),
    only_other_accounts: param.boolean({ default: false, description: 'not those of the author' }),
    min_id: param.cursor({ description: 'newer than this' }),
  },
  async handle({ id, status_id: status, page, only_other_accounts: others, min_id }, context) {
    const row = await requireNote(context, await identifyReader(context), id, status)
    if (page === true) return repliesPage(context, row, others, min_id)
    const uri = `${noteUri(context.config.publicUrl, id, status)}/replies`
    return sendNoteDocument(context, { id: uri, type: 'Collection', first: `${uri}?page=true` }, row, 0)
  },
})

const countOperation = (name: 'likes' | 'shares', summary: string) =>
  operation({
    ...DOCUMENT,
    path: `/ap/users/:id/statuses/:status_id/${name}`,
    summary,
    params: STATUS_PARAMS,
    async handle({ id, status_id: status }, context) {
      const row = await requireNote(context, await identifyReader(context), id, status)
      const uri = `${noteUri(context.config.publicUrl, id, status)}/${name}`
      return sendNoteDocument(context, { id: uri, type: 'Collection', totalItems: row[name] }, row, 0)
    },
  })

/** The authorization of a quote, which other servers verify (FEP-044f). */
const authorization = operation({
  ...DOCUMENT,
  path: '/ap/users/:id/quote_authorizations/:quote_id',
  summary: 'The permission for a quote, for other servers',
  params: { id: param.id(), quote_id: param.id() },
  async handle({ id, quote_id: quote }, context) {
    const reader = await identifyReader(context)
    await requireActiveActor(context, id)
    const { publicUrl } = context.config
    const found = await context.database.one(findAuthorization, { account: id, quote })
    const { quoting, quoted } = found ?? {}
    if (!quoting || !quoted || quoted.deleted || quoting.deleted) throw new ApiError('routeNotFound')
    // The document names the quoted status, so only readers who may see that may fetch it.
    if ((await findNotes(context, reader, [quoted.id])).length === 0) throw new ApiError('routeNotFound')
    const document = quoteAuthorization(publicUrl, quote, quoting, quoted)
    const isListed = quoted.visibility === 'public' || quoted.visibility === 'unlisted'
    return sendDocument(context, document, AUTHORIZATION_AGE_S, !isListed || undefined)
  },
})

export const statusCollectionOperations = [
  replies,
  countOperation('likes', 'How many like a post, for other servers'),
  countOperation('shares', 'How many boosted a post, for other servers'),
  authorization,
]
