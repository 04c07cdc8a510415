import { enqueue, job, memberOf } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { ignoreOutgoingFailure, withDiscoveryBudget } from '../fetch/index.ts'
import { sameHost, isStorableUri } from '../protocol/index.ts'
import { embeddedItemIds } from './collection_items.ts'
import type { Note } from './note.ts'
import { resolveStatus } from './resolve_status.ts'

/** The maximum number of replies that are fetched with a status. */
const MAX_REPLIES = 5

/**
 * Fetches the replies that a status lists. Replies of these replies are not fetched, to bound the
 * work.
 */
export const fetchEmbeddedReplies = job(
  'federation.fetch_embedded_replies',
  payload => {
    const uris = memberOf(payload, 'uris')
    return { uris: Array.isArray(uris) ? uris.filter(uri => typeof uri === 'string') : [] }
  },
  ({ uris }, services: Services) =>
    withDiscoveryBudget(async () => {
      for (const uri of uris) await ignoreOutgoingFailure(resolveStatus(services, uri, { depth: 1 }))
    }),
  { attempts: 2, priority: 20 },
)

/** Enqueues the fetching of the replies that a stored status lists, on the same host only. */
export async function enqueueReplies({ database }: Services, { uri, document }: Note): Promise<void> {
  const uris = [...new Set(embeddedItemIds(document['replies']))]
    .filter(one => one !== uri && isStorableUri(one) && sameHost(one, uri))
    .slice(0, MAX_REPLIES)
  if (uris.length > 0) await enqueue(database, fetchEmbeddedReplies, { uris })
}
