import { createSemaphore } from '../../core/semaphore.ts'
import type { Id } from '../../core/id.ts'
import {
  countResult,
  finishRefresh,
  refreshHeader,
  runningRefresh,
  startRefresh,
} from '../../instance/async_refreshes/index.ts'
import { c, query } from '../../platform/database/index.ts'
import { enqueue, idIn, job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { withDiscoveryBudget, ignoreOutgoingFailure } from '../fetch/index.ts'
import { idOf, textOf, type JsonObject, isStorableUri } from '../protocol/index.ts'
import { fetchCollectionItems } from './collection_items.ts'
import { findStatusByUri } from './find_by_uri.ts'
import { refetchStatus } from './refresh_status.ts'
import { resolveStatus } from './resolve_status.ts'

const claim = query('federation/receive/claim_reply_fetch', { status: c.id }, { status_id: c.id })

/** The maximum number of replies of a thread that are fetched by one job. */
const MAX_REPLIES = 200
/** The bounds for reading the replies to one status. */
const COLLECTION_LIMITS = { items: 500, pages: 20 } as const
const MAX_SIMULTANEOUS = 4
const MAX_MS = 3 * 60_000

const refreshKey = (status: Id): string => `replies:${status}`

/** Fetches the unknown replies in a thread, level by level, and counts them. */
async function fetchThread(services: Services, key: string, root: JsonObject): Promise<number> {
  const deadlineMs = performance.now() + MAX_MS
  const seen = new Set<string>()
  const semaphore = createSemaphore(MAX_SIMULTANEOUS)
  let count = 0
  const fetchReply = async (uri: string): Promise<JsonObject[]> => {
    if (performance.now() > deadlineMs || (await findStatusByUri(services, services.database, uri))) return []
    const documents: JsonObject[] = []
    const status = await ignoreOutgoingFailure(
      resolveStatus(services, uri, { onDocument: one => void documents.push(one) }),
    )
    if (!status) return []
    count += 1
    await countResult(services.database, key)
    return documents
  }
  for (let level = [root]; level.length > 0 && seen.size < MAX_REPLIES;) {
    const uris = new Set<string>()
    for (const document of level) {
      const owner = textOf(document['id']) ?? ''
      const items = await ignoreOutgoingFailure(
        fetchCollectionItems(services, document['replies'], owner, COLLECTION_LIMITS),
      )
      for (const item of items ?? []) {
        const uri = idOf(item)
        if (uri === undefined || !isStorableUri(uri) || seen.has(uri) || seen.size === MAX_REPLIES) continue
        seen.add(uri)
        uris.add(uri)
      }
    }
    level = (await Promise.all([...uris].map(uri => semaphore.run(() => fetchReply(uri))))).flat()
  }
  return count
}

/** Fetches unknown replies in a thread from the servers of the status and of its replies. */
export const fetchReplies = job(
  'federation.fetch_replies',
  payload => ({ status: idIn(payload, 'status') }),
  async ({ status }, services: Services) => {
    const document = await ignoreOutgoingFailure(refetchStatus(services, status))
    const count = document ? await withDiscoveryBudget(() => fetchThread(services, refreshKey(status), document)) : 0
    await finishRefresh(services.database, refreshKey(status), count)
  },
  { attempts: 2, priority: 10 },
)

/**
 * Starts fetching the replies to a remote status, at most once in fifteen minutes.
 * @returns the header that announces the refresh to clients; undefined when nothing is fetched
 */
export async function refreshReplies(services: Services, status: Id): Promise<Record<string, string> | undefined> {
  const { database } = services
  const running = await database.transaction(async transaction => {
    if (!(await transaction.one(claim, { status }))) return runningRefresh(transaction, refreshKey(status))
    const started = await startRefresh(transaction, refreshKey(status), { counted: true })
    if (started !== undefined) await enqueue(transaction, fetchReplies, { status })
    return started
  })
  return running && refreshHeader(running)
}
