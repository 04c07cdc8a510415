import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import { OutgoingFailure } from '../../platform/http_client/index.ts'
import { idIn, job, memberOf } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { idOf, isObject, sameHost } from '../protocol/index.ts'
import { readCollectionItems } from './collection_items.ts'
import { isStatusLike, readNote } from './note.ts'
import { hashtagsIn } from './note_parts.ts'
import { receivingTransaction, readAuthor, type Author } from './incoming_activity.ts'
import { resolveStatus, receiveNote } from './resolve_status.ts'

const setPins = query('federation/receive/set_pins', { account: c.id, statuses: c.ids }, { events: c.events })
const setTags = query(
  'federation/receive/set_featured_tags',
  { account: c.id, tags: c.texts, display_tags: c.texts },
  { events: c.events },
)

const COLLECTION_LIMITS = { items: 20, pages: 1 } as const

const textIn = (payload: unknown, name: string): string => {
  const value = memberOf(payload, name)
  return typeof value === 'string' ? value : ''
}

/** Resolves a pinned status, which may be embedded; undefined when it is not the author's. */
async function resolvePinned(services: Services, author: Author, item: unknown): Promise<Id | undefined> {
  const uri = idOf(item)
  if (uri === undefined || !sameHost(uri, author.uri)) return undefined
  const note = isObject(item) && isStatusLike(item) ? await readNote(item, author) : undefined
  if (note) return receiveNote(services, author, note, { fetched: true })
  const status = await resolveStatus(services, uri)
  return status?.account_id === author.id ? status.id : undefined
}

/**
 * What is pinned stays if the collection cannot be read, as when it is missing.
 * @param collection embedded, or its id
 */
async function fetchPins(services: Services, author: Author, collection: unknown): Promise<void> {
  const { items, isUnreadable } = await readCollectionItems(services, collection, author.uri, COLLECTION_LIMITS)
  if (isUnreadable) return
  const statuses: Id[] = []
  for (const item of items) {
    const status = await resolvePinned(services, author, item)
    if (status !== undefined && !statuses.includes(status)) statuses.push(status)
  }
  await receivingTransaction(services, transaction => transaction.run(setPins, { account: author.id, statuses }))
}

async function fetchTags(services: Services, author: Author, url: string): Promise<void> {
  const { items, isUnreadable } = await readCollectionItems(services, url, author.uri, COLLECTION_LIMITS)
  if (isUnreadable) return
  const tags = hashtagsIn({ tag: items })
  await receivingTransaction(services, transaction =>
    transaction.run(setTags, { account: author.id, tags: [...tags.keys()], display_tags: [...tags.values()] }),
  )
}

/**
 * Fetches the pinned statuses and featured hashtags of an account of another server. Enqueued when
 * its document is stored.
 */
export const fetchFeatured = job(
  'federation.fetch_featured',
  payload => ({
    account: idIn(payload, 'account'),
    featured: textIn(payload, 'featured'),
    tags: textIn(payload, 'tags'),
    items: memberOf(payload, 'items'),
  }),
  async ({ account, featured, tags, items }, services: Services, { lastAttempt }) => {
    const author = await readAuthor(services, account)
    if (!author || author.suspended) return
    try {
      if (featured !== '') await fetchPins(services, author, featured)
      else if (Array.isArray(items))
        await fetchPins(services, author, { type: 'OrderedCollection', orderedItems: items })
      if (tags !== '') await fetchTags(services, author, tags)
    } catch (error) {
      if (!(error instanceof OutgoingFailure) || !lastAttempt) throw error
    }
  },
  { attempts: 3, priority: 20 },
)
