import type { Id } from '../../core/id.ts'
import { c, query, type Runner } from '../../platform/database/index.ts'
import { OutgoingFailure } from '../../platform/http_client/index.ts'
import { enqueue, idIn, job, memberOf } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { fetchObject, ignoreOutgoingFailure, withDiscoveryBudget } from '../fetch/index.ts'
import { sha256 } from '../keys/index.ts'
import { idOf } from '../protocol/index.ts'
import { readCollectionItems } from './collection_items.ts'
import { addItem, removeItems } from './collection_members.ts'
import { readAuthor } from './incoming_activity.ts'
import { readFeaturedCollection } from './read_featured_collection.ts'

const findNamed = query('federation/receive/named_items', { curator: c.id, uri: c.text }, { uri: c.nullable(c.text) })

const LIMITS = { items: 50, pages: 2 } as const

/**
 * Fetches who is in a stored collection of a remote account. A member whose item is no longer
 * listed leaves; one who has agreed but was never listed stays, as its item may be under way.
 */
export const fetchCollection = job(
  'federation.fetch_collection',
  payload => ({ curator: idIn(payload, 'curator'), uri: String(memberOf(payload, 'uri')) }),
  async ({ curator, uri }, services: Services, { lastAttempt }) => {
    const author = await readAuthor(services, curator)
    if (!author || author.suspended) return
    try {
      // What is added during the requests may be missing in their answers.
      const named = (await services.database.run(findNamed, { curator, uri })).flatMap(({ uri: item }) => item ?? [])
      const document = await fetchObject(services, uri)
      if (!document || readFeaturedCollection(document, author.uri)?.uri !== uri) return
      const { items, isComplete } = await readCollectionItems(services, document, author.uri, LIMITS)
      await withDiscoveryBudget(async () => {
        for (const item of items) await ignoreOutgoingFailure(addItem(services, author, uri, item))
      })
      const listed = new Set(items.map(item => idOf(item)))
      if (isComplete)
        await removeItems(
          services,
          author,
          uri,
          named.filter(item => !listed.has(item)),
        )
    } catch (error) {
      if (!(error instanceof OutgoingFailure) || !lastAttempt) throw error
    }
  },
  { attempts: 3, priority: 20 },
)

/** Enqueues `fetchCollection`; one job is enough for several changes at the same time. */
export const enqueueFetch = (transaction: Runner, collection: { curator: Id; uri: string }): Promise<void> =>
  enqueue(transaction, fetchCollection, collection, { key: `federation.fetch_collection:${sha256(collection.uri)}` })
