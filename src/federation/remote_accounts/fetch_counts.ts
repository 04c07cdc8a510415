import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import { OutgoingFailure } from '../../platform/http_client/index.ts'
import { idIn, job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { fetchDocument } from '../fetch/index.ts'
import { listOf, sameHost, textOf, totalIn, typesOf, type JsonObject } from '../protocol/index.ts'

const findCollections = query(
  'federation/remote_accounts/collections',
  { account: c.id },
  { uri: c.text, followers: c.text, following: c.text, outbox: c.text },
)

const storeCounts = query(
  'federation/remote_accounts/store_counts',
  {
    account: c.id,
    followers: c.nullable(c.integer),
    following: c.nullable(c.integer),
    statuses: c.nullable(c.integer),
    hides: c.nullable(c.boolean),
  },
  { id: c.id, events: c.events },
)

/** What an account's server says of one of its collections. */
interface CollectionState {
  readonly total: number | null
  /** Whether its items are kept from others; undefined while that is unknown. */
  readonly hidden?: boolean
}

const UNKNOWN: CollectionState = { total: null }

/** Whether a collection has its items, or leads to them. Small servers have no pages. */
function showsItems(collection: JsonObject): boolean {
  const { first, items, orderedItems } = collection
  if (listOf(first).length > 0) return true
  const list = items ?? orderedItems
  return list !== undefined && list !== null && (listOf(list).length > 0 || !totalIn(collection))
}

async function fetchCollection(services: Services, url: string): Promise<CollectionState> {
  const fetched = await fetchDocument(services, url)
  if (fetched.outcome === 'unexpected')
    return fetched.status === 401 || fetched.status === 403 ? { total: null, hidden: true } : UNKNOWN
  // A redirect may have led to the document of another host.
  if (fetched.outcome !== 'document' || !sameHost(textOf(fetched.document['id']) ?? '', url)) return UNKNOWN
  const total = totalIn(fetched.document)
  const isCollection = typesOf(fetched.document).some(type => type === 'Collection' || type === 'OrderedCollection')
  return isCollection ? { total, hidden: !showsItems(fetched.document) } : { total }
}

/** Null while it is unknown. One that is hidden hides both, as there is one choice for both. */
function hidesRelations(collections: readonly CollectionState[]): boolean | null {
  if (collections.some(({ hidden }) => hidden === true)) return true
  return collections.length > 0 && collections.every(({ hidden }) => hidden === false) ? false : null
}

/**
 * Fetches how many followers, followed accounts and statuses an account has by its own server,
 * which alone knows them all, and whether it hides the first two. Enqueued when its document is
 * stored.
 */
export const fetchCounts = job<{ account: Id }, Services>(
  'federation.fetch_counts',
  payload => ({ account: idIn(payload, 'account') }),
  async ({ account }, services, { lastAttempt }) => {
    const found = await services.database.one(findCollections, { account })
    if (!found) return
    let failure: OutgoingFailure | undefined
    /** Undefined for an account that names no such collection on its server. */
    const read = async (url: string): Promise<CollectionState | undefined> => {
      if (!sameHost(url, found.uri)) return undefined
      try {
        return await fetchCollection(services, url)
      } catch (error) {
        if (!(error instanceof OutgoingFailure)) throw error
        failure = error
        return UNKNOWN
      }
    }
    const [followers, following] = [await read(found.followers), await read(found.following)]
    const statuses = await read(found.outbox)
    await services.database.run(storeCounts, {
      account,
      followers: followers?.total ?? null,
      following: following?.total ?? null,
      statuses: statuses?.total ?? null,
      hides: hidesRelations([followers, following].filter(collection => collection !== undefined)),
    })
    if (failure && !lastAttempt) throw failure
  },
  { attempts: 2, priority: 20 },
)
