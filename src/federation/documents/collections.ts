import { ApiError } from '../../core/errors.ts'
import { parseId, type Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import { operation, param, type Context, type Response } from '../../platform/http/index.ts'
import { isSigned, requireSigner } from '../http_signatures/index.ts'
import { actorUri, noteUri } from '../protocol/index.ts'
import { serverUrls, type ActorRow } from './actor.ts'
import { DOCUMENT, identifyReader, readerOf, requireActiveActor, sendDocument } from './document_response.ts'
import { showFeaturedCollection } from './featured_collections.ts'
import { noteObject } from './note.ts'
import { findNotes, type Reader } from './note_row.ts'
import { loadActivities } from './show.ts'

const readTotals = query(
  'federation/documents/totals',
  { account: c.id },
  { statuses: c.integer, followers: c.integer, following: c.integer },
)
const readOutbox = query(
  'federation/documents/outbox',
  { viewer: c.nullable(c.id), account: c.id, max_id: c.nullable(c.id), min_id: c.nullable(c.id) },
  { id: c.id },
)
const readFollows = query(
  'federation/documents/follows',
  { account: c.id, followers: c.boolean, offset: c.integer },
  { id: c.id, uri: c.text },
)
const readFollowersAt = query('federation/documents/followers_at', { account: c.id, prefix: c.text }, { uri: c.text })
const readPins = query('federation/documents/pins', { account: c.id }, { id: c.id, open: c.boolean })
const readTags = query('federation/documents/featured_tags', { account: c.id }, { name: c.text })
const findBlocked = query(
  'federation/documents/blocks_reader',
  { account: c.id, reader: c.nullable(c.id), domain: c.nullable(c.text) },
  { blocked: c.boolean },
)

const INDEX_AGE_S = 180
const OUTBOX_PAGE_AGE_S = 60
const OUTBOX_PAGE_SIZE = 20
const FOLLOWS_PAGE_SIZE = 12
const MAX_PAGE = 1_000_000

const loadTotals = async ({ database }: Context, account: Id) =>
  (await database.one(readTotals, { account })) ?? { statuses: 0, followers: 0, following: 0 }

async function outboxPage(context: Context, reader: Reader, account: Id, max_id?: Id, min_id?: Id): Promise<Response> {
  const outbox = `${actorUri(context.config.publicUrl, account)}/outbox`
  const bounds = { viewer: reader.account, account, max_id: max_id ?? null, min_id: min_id ?? null }
  const ids = (await context.database.run(readOutbox, bounds)).map(({ id }) => id)
  const range = min_id !== undefined ? `&min_id=${min_id}` : max_id !== undefined ? `&max_id=${max_id}` : ''
  const [newest, oldest] = [ids[0], ids.at(-1)]
  const page = {
    id: `${outbox}?page=true${range}`,
    type: 'OrderedCollectionPage',
    ...(oldest !== undefined && ids.length === OUTBOX_PAGE_SIZE && { next: `${outbox}?page=true&max_id=${oldest}` }),
    ...(newest !== undefined && { prev: `${outbox}?page=true&min_id=${newest}` }),
    partOf: outbox,
    orderedItems: await loadActivities(context, reader, ids),
  }
  // A signer's view must not be cached for others.
  return sendDocument(context, page, OUTBOX_PAGE_AGE_S, reader.host !== null || undefined)
}

const outbox = operation({
  ...DOCUMENT,
  path: '/ap/users/:id/outbox',
  summary: 'What an account has posted, for other servers',
  params: {
    id: param.id(),
    page: param.boolean({ optional: true }),
    max_id: param.cursor({ description: 'older than this' }),
    min_id: param.cursor({ description: 'newer than this, oldest first' }),
  },
  async handle({ id, page, max_id, min_id }, context) {
    const reader = await identifyReader(context)
    await requireActiveActor(context, id)
    if (page === true) return outboxPage(context, reader, id, max_id, min_id)
    const { statuses } = await loadTotals(context, id)
    const uri = `${actorUri(context.config.publicUrl, id)}/outbox`
    const index = {
      id: uri,
      type: 'OrderedCollection',
      totalItems: statuses,
      first: `${uri}?page=true`,
      last: `${uri}?page=true&min_id=0`,
    }
    return sendDocument(context, index, INDEX_AGE_S)
  },
})

async function followsPage(context: Context, row: ActorRow, name: 'followers' | 'following', page: number) {
  if (row.hide_collections) throw new ApiError('forbidden')
  const { publicUrl } = context.config
  const uri = `${actorUri(publicUrl, row.id)}/${name}`
  const offset = (page - 1) * FOLLOWS_PAGE_SIZE
  const accounts = await context.database.run(readFollows, {
    account: row.id,
    followers: name === 'followers',
    offset,
  })
  const document = {
    id: `${uri}?page=${page}`,
    type: 'OrderedCollectionPage',
    totalItems: (await loadTotals(context, row.id))[name],
    ...(accounts.length === FOLLOWS_PAGE_SIZE && { next: `${uri}?page=${page + 1}` }),
    ...(page > 1 && { prev: `${uri}?page=${page - 1}` }),
    partOf: uri,
    orderedItems: accounts.map(account => (account.uri === '' ? actorUri(publicUrl, account.id) : account.uri)),
  }
  return sendDocument(context, document, 0)
}

const followsOperation = (name: 'followers' | 'following', summary: string) =>
  operation({
    ...DOCUMENT,
    path: `/ap/users/:id/${name}`,
    summary,
    params: { id: param.id(), page: param.integer({ optional: true, min: 1, max: MAX_PAGE }) },
    async handle({ id, page }, context) {
      await identifyReader(context)
      const row = await requireActiveActor(context, id)
      if (page !== undefined) return followsPage(context, row, name, page)
      const uri = `${actorUri(context.config.publicUrl, id)}/${name}`
      const { [name]: totalItems } = await loadTotals(context, id)
      const first = row.hide_collections ? {} : { first: `${uri}?page=1` }
      return sendDocument(context, { id: uri, type: 'OrderedCollection', totalItems, ...first }, INDEX_AGE_S)
    },
  })

/** Whether the account blocks the reader or the reader's server. */
async function isBlockedReader({ database }: Context, account: Id, reader: Reader): Promise<boolean> {
  if (reader.host === null) return false
  return (await database.one(findBlocked, { account, reader: reader.account, domain: reader.host }))?.blocked === true
}

async function featuredItems(context: Context, account: Id): Promise<unknown[]> {
  const pins = await context.database.run(readPins, { account })
  // Private statuses are listed by URI only; followers can fetch them.
  const anonymous = { account: null, host: null }
  const rows = await findNotes(
    context,
    anonymous,
    pins.flatMap(({ id, open }) => (open ? [id] : [])),
  )
  const urls = serverUrls(context)
  const notes = new Map(rows.map(row => [row.id, noteObject(row, urls)]))
  return pins.flatMap(({ id, open }) => (open ? (notes.get(id) ?? []) : noteUri(urls.publicUrl, account, id)))
}

const collections = operation({
  ...DOCUMENT,
  path: '/ap/users/:id/collections/:name',
  summary: 'The pinned posts, the featured hashtags or a collection of an account, for other servers',
  params: { id: param.id(), name: param.string() },
  async handle({ id, name }, context) {
    const collection = parseId(name)
    if (collection !== undefined) return showFeaturedCollection(context, id, collection)
    if (name !== 'featured' && name !== 'tags') throw new ApiError('routeNotFound')
    const reader = await identifyReader(context)
    const { username } = await requireActiveActor(context, id)
    const { publicUrl } = context.config
    const uri = `${actorUri(publicUrl, id)}/collections/${name}`
    const isEmpty = await isBlockedReader(context, id, reader)
    const head = (items: readonly unknown[], type: string) => ({ id: uri, type, totalItems: items.length })
    if (name === 'featured') {
      const items = isEmpty ? [] : await featuredItems(context, id)
      const document = { ...head(items, 'OrderedCollection'), orderedItems: items }
      return sendDocument(context, document, INDEX_AGE_S, isEmpty || undefined)
    }
    const tags = isEmpty ? [] : await context.database.run(readTags, { account: id })
    const items = tags.map(tag => ({
      type: 'Hashtag',
      href: `${publicUrl}/@${username}/tagged/${encodeURIComponent(tag.name)}`,
      name: `#${tag.name}`,
    }))
    return sendDocument(context, { ...head(items, 'Collection'), items }, INDEX_AGE_S, isEmpty || undefined)
  },
})

/** The followers on the requesting server (FEP-8fcf). */
const synchronization = operation({
  ...DOCUMENT,
  path: '/ap/users/:id/followers_synchronization',
  summary: 'The followers of an account on the server that asks',
  params: { id: param.id() },
  async handle({ id }, context) {
    if (!isSigned(context)) throw new ApiError('unsigned')
    const signer = await requireSigner(context)
    await readerOf(context, signer)
    await requireActiveActor(context, id)
    const prefix = `${new URL(signer.uri).origin}/`
    const followers = await context.database.run(readFollowersAt, { account: id, prefix })
    const uri = `${actorUri(context.config.publicUrl, id)}/followers_synchronization`
    const document = { id: uri, type: 'OrderedCollection', orderedItems: followers.map(({ uri: one }) => one) }
    return sendDocument(context, document, 0, true)
  },
})

export const collectionOperations = [
  outbox,
  followsOperation('followers', 'Who follows an account, for other servers'),
  followsOperation('following', 'Whom an account follows, for other servers'),
  collections,
  synchronization,
]
