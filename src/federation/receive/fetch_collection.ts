import type { Id } from '../../core/id.ts'
import type { Runner } from '../../platform/database/index.ts'
import { OutgoingFailure } from '../../platform/http_client/index.ts'
import { enqueue, idIn, job, memberOf } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { fetchObject, ignoreOutgoingFailure, withDiscoveryBudget } from '../fetch/index.ts'
import { sha256 } from '../keys/index.ts'
import { fetchCollectionItems } from './collection_items.ts'
import { addItem } from './collection_members.ts'
import { readAuthor } from './incoming_activity.ts'
import { readFeaturedCollection } from './read_featured_collection.ts'

const LIMITS = { items: 50, pages: 2 } as const

/** Fetches who is in a stored collection of a remote account. */
export const fetchCollection = job(
  'federation.fetch_collection',
  payload => ({ curator: idIn(payload, 'curator'), uri: String(memberOf(payload, 'uri')) }),
  async ({ curator, uri }, services: Services, { lastAttempt }) => {
    const author = await readAuthor(services, curator)
    if (!author || author.suspended) return
    try {
      const document = await fetchObject(services, uri)
      if (!document || readFeaturedCollection(document, author.uri)?.uri !== uri) return
      const items = await fetchCollectionItems(services, document, author.uri, LIMITS)
      await withDiscoveryBudget(async () => {
        for (const item of items) await ignoreOutgoingFailure(addItem(services, author, uri, item))
      })
    } catch (error) {
      if (!(error instanceof OutgoingFailure) || !lastAttempt) throw error
    }
  },
  { attempts: 3, priority: 20 },
)

/** Enqueues `fetchCollection`; one job is enough for several changes at the same time. */
export const enqueueFetch = (transaction: Runner, collection: { curator: Id; uri: string }): Promise<void> =>
  enqueue(transaction, fetchCollection, collection, { key: `federation.fetch_collection:${sha256(collection.uri)}` })
