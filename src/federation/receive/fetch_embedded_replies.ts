import { OutgoingFailure } from '../../platform/http_client/index.ts'
import { enqueue, job, memberOf } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { withDiscoveryBudget } from '../fetch/index.ts'
import { sameHost } from '../protocol/index.ts'
import { embeddedItems } from './collection_items.ts'
import type { Note } from './note.ts'
import { isBounded } from './references.ts'
import { resolveStatus } from './take_note.ts'

/** The most replies that are fetched with a status. */
const MAX_REPLIES = 5

/** Fetches replies that came with a status as ids. Their own are not, so that this ends. */
export const fetchEmbeddedReplies = job(
  'federation.fetch_embedded_replies',
  payload => {
    const uris = memberOf(payload, 'uris')
    return { uris: Array.isArray(uris) ? uris.filter(uri => typeof uri === 'string') : [] }
  },
  ({ uris }, services: Services) =>
    withDiscoveryBudget(async () => {
      for (const uri of uris)
        await resolveStatus(services, uri, { depth: 1 }).catch((error: unknown) => {
          if (!(error instanceof OutgoingFailure)) throw error
        })
    }),
  { attempts: 2, priority: 20 },
)

/** Has the replies of the same host fetched that a stored status names. */
export async function enqueueReplies({ database }: Services, { uri, document }: Note): Promise<void> {
  const uris = [...new Set(embeddedItems(document['replies']))]
    .filter(one => one !== uri && isBounded(one) && sameHost(one, uri))
    .slice(0, MAX_REPLIES)
  if (uris.length > 0) await enqueue(database, fetchEmbeddedReplies, { uris })
}
