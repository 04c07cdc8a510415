import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { escapeHtml, tagUrl } from '../../core/text/index.ts'
import { c, query, type Row } from '../../platform/database/index.ts'
import { operation, param, type Context, type Response } from '../../platform/http/index.ts'
import type { Services } from '../../platform/services.ts'
import { actorUri, collectionUri, formatDateTime } from '../protocol/index.ts'
import type { Reader } from './note_row.ts'
import { DOCUMENT, identifyReader, requireActiveActor, sendDocument } from './document_response.ts'
import { featureAuthorization, featureAuthorizationUri } from './feature_authorization.ts'

/*
 * Collections of recommended accounts (FEP-7aa9), and the authorizations by these accounts.
 */

interface ItemRow {
  readonly id: Id
  readonly account_id: Id
  readonly uri: string
  readonly local: boolean
  readonly type: string
  readonly approval_uri: string | null
  readonly created_at: string | Date
}

const find = query(
  'federation/documents/featured_collections',
  { viewer: c.nullable(c.id), account: c.id, collection: c.nullable(c.id), offset: c.integer },
  {
    id: c.id,
    name: c.text,
    description: c.nullable(c.text),
    language: c.nullable(c.text),
    tag: c.nullable(c.text),
    tag_name: c.nullable(c.text),
    sensitive: c.boolean,
    discoverable: c.boolean,
    created_at: c.timestamp,
    updated_at: c.timestamp,
    items: c.nullable(c.json<readonly ItemRow[]>()),
    total: c.integer,
  },
)
const findItem = query(
  'federation/documents/collection_item',
  { viewer: c.nullable(c.id), item: c.id },
  {
    id: c.id,
    collection_id: c.id,
    collection_uri: c.nullable(c.text),
    account_id: c.id,
    uri: c.text,
    local: c.boolean,
    type: c.text,
    approval_uri: c.nullable(c.text),
    created_at: c.timestamp,
    curator: c.id,
  },
)

const MAX_AGE_S = 180
const PAGE_SIZE = 5
const MAX_PAGE = 1_000_000

export const itemUri = (publicUrl: string, curator: Id, item: Id): string =>
  `${actorUri(publicUrl, curator)}/collection_items/${item}`

function itemObject(item: ItemRow, curator: Id, publicUrl: string): object {
  const featured = item.local ? actorUri(publicUrl, item.account_id) : item.uri
  const permission = item.local ? featureAuthorizationUri(publicUrl, item.account_id, item.id) : item.approval_uri
  return {
    id: itemUri(publicUrl, curator, item.id),
    type: 'FeaturedItem',
    featuredObject: featured,
    featuredObjectType: item.type,
    ...(permission !== null && { featureAuthorization: permission }),
    published: formatDateTime(new Date(item.created_at)),
  }
}

function collectionObject(row: Row<typeof find.columns>, account: Id, publicUrl: string): object {
  const summary = row.description === null ? '' : `<p>${escapeHtml(row.description)}</p>`
  const items = row.items ?? []
  return {
    id: collectionUri(publicUrl, account, row.id),
    type: 'FeaturedCollection',
    url: `${publicUrl}/collections/${row.id}`,
    attributedTo: actorUri(publicUrl, account),
    name: row.name,
    ...(summary !== '' && { summary, ...(row.language !== null && { summaryMap: { [row.language]: summary } }) }),
    sensitive: row.sensitive,
    discoverable: row.discoverable,
    ...(row.tag !== null && {
      topic: { type: 'Hashtag', href: tagUrl(row.tag, publicUrl), name: `#${row.tag_name ?? row.tag}` },
    }),
    published: formatDateTime(row.created_at),
    updated: formatDateTime(row.updated_at),
    totalItems: items.length,
    orderedItems: items.map(item => itemObject(item, account, publicUrl)),
  }
}

/** A collection of a local account, as anonymous readers see it. */
export async function collectionDocument(
  { database, config }: Services,
  account: Id,
  collection: Id,
): Promise<object | undefined> {
  const [row] = await database.run(find, { viewer: null, account, collection, offset: 0 })
  return row && collectionObject(row, account, config.publicUrl)
}

/** An item of a local account's collection, as anonymous readers see it. */
export async function itemDocument({ database, config }: Services, curator: Id, item: Id): Promise<object | undefined> {
  const found = await database.one(findItem, { viewer: null, item })
  return found && itemObject(found, curator, config.publicUrl)
}

/** Sends a document in which an account that signed the request may see other things. */
const sendFor = (context: Context, reader: Reader, document: object): Response =>
  sendDocument(context, document, MAX_AGE_S, reader.account === null ? undefined : true)

/** @throws ApiError routeNotFound */
export async function showFeaturedCollection(context: Context, account: Id, collection: Id): Promise<Response> {
  const reader = await identifyReader(context)
  await requireActiveActor(context, account)
  const [row] = await context.database.run(find, { viewer: reader.account, account, collection, offset: 0 })
  if (!row) throw new ApiError('routeNotFound')
  return sendFor(context, reader, collectionObject(row, account, context.config.publicUrl))
}

const list = operation({
  ...DOCUMENT,
  path: '/ap/users/:id/featured_collections',
  summary: 'The collections that an account curates, for other servers',
  params: { id: param.id(), page: param.integer({ optional: true, min: 1, max: MAX_PAGE }) },
  async handle({ id, page }, context) {
    const reader = await identifyReader(context)
    await requireActiveActor(context, id)
    const { publicUrl } = context.config
    const uri = `${actorUri(publicUrl, id)}/featured_collections`
    const offset = ((page ?? 1) - 1) * PAGE_SIZE
    const rows = await context.database.run(find, { viewer: reader.account, account: id, collection: null, offset })
    const total = rows[0]?.total ?? 0
    if (page === undefined)
      return sendFor(context, reader, { id: uri, type: 'Collection', totalItems: total, first: `${uri}?page=1` })
    const document = {
      id: `${uri}?page=${page}`,
      type: 'CollectionPage',
      partOf: uri,
      ...(offset + rows.length < total && { next: `${uri}?page=${page + 1}` }),
      ...(page > 1 && { prev: `${uri}?page=${page - 1}` }),
      items: rows.map(row => collectionObject(row, id, publicUrl)),
    }
    return sendFor(context, reader, document)
  },
})

const item = operation({
  ...DOCUMENT,
  path: '/ap/users/:id/collection_items/:item_id',
  summary: 'An account in a collection, for other servers',
  params: { id: param.id(), item_id: param.id() },
  async handle({ id, item_id: number }, context) {
    const reader = await identifyReader(context)
    await requireActiveActor(context, id)
    const found = await context.database.one(findItem, { viewer: reader.account, item: number })
    if (found?.curator !== id || found.collection_uri !== null) throw new ApiError('routeNotFound')
    return sendFor(context, reader, itemObject(found, id, context.config.publicUrl))
  },
})

const authorization = operation({
  ...DOCUMENT,
  path: '/ap/users/:id/feature_authorizations/:item_id',
  summary: 'The permission to be in a collection, for other servers',
  params: { id: param.id(), item_id: param.id() },
  async handle({ id, item_id: number }, context) {
    const reader = await identifyReader(context)
    await requireActiveActor(context, id)
    const found = await context.database.one(findItem, { viewer: reader.account, item: number })
    if (found?.account_id !== id) throw new ApiError('routeNotFound')
    const { publicUrl } = context.config
    const collection = found.collection_uri ?? collectionUri(publicUrl, found.curator, found.collection_id)
    return sendFor(context, reader, featureAuthorization(publicUrl, id, number, collection))
  },
})

export const featuredCollectionOperations = [list, item, authorization]
