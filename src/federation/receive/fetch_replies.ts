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
import { OutgoingFailure } from '../../platform/http_client/index.ts'
import { enqueue, idIn, job } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { withDiscoveryBudget } from '../fetch/index.ts'
import { idOf, textOf, type JsonObject } from '../protocol/index.ts'
import { collectionItems } from './collection_items.ts'
import { isBounded, knownStatus } from './references.ts'
import { fetchAgain } from './refresh_status.ts'
import { resolveStatus } from './take_note.ts'

const claim = query('federation/receive/claim_replies', { status: c.id }, { status_id: c.id })

/** The most unknown replies of a thread that are fetched at a time. */
const MAX_REPLIES = 200
/** The most replies to one status that are read. */
const LIMITS = { items: 500, pages: 20 } as const
const AT_ONCE = 4
const MAX_MS = 3 * 60_000

const keyOf = (status: Id): string => `replies:${status}`

/** A server that fails or does not answer counts as one without replies. */
async function unlessFailing<T>(asking: Promise<T>): Promise<T | undefined> {
  try {
    return await asking
  } catch (error) {
    if (error instanceof OutgoingFailure) return undefined
    throw error
  }
}

/** Fetches the unknown replies in a thread, level by level, and counts them. */
async function fetchThread(services: Services, key: string, root: JsonObject): Promise<number> {
  const endMs = performance.now() + MAX_MS
  const seen = new Set<string>()
  const turns = createSemaphore(AT_ONCE)
  let found = 0
  const take = async (uri: string): Promise<JsonObject[]> => {
    if (performance.now() > endMs || (await knownStatus(services, services.database, uri))) return []
    const documents: JsonObject[] = []
    const taken = await unlessFailing(resolveStatus(services, uri, { onDocument: one => void documents.push(one) }))
    if (!taken) return []
    found += 1
    await countResult(services.database, key)
    return documents
  }
  for (let level = [root]; level.length > 0 && seen.size < MAX_REPLIES;) {
    const uris = new Set<string>()
    for (const document of level) {
      const owner = textOf(document['id']) ?? ''
      const items = await unlessFailing(collectionItems(services, document['replies'], owner, LIMITS))
      for (const item of items ?? []) {
        const uri = idOf(item)
        if (uri === undefined || !isBounded(uri) || seen.has(uri) || seen.size === MAX_REPLIES) continue
        seen.add(uri)
        uris.add(uri)
      }
    }
    level = (await Promise.all([...uris].map(uri => turns.run(() => take(uri))))).flat()
  }
  return found
}

/** Asks the server of a status, and those of its replies, for the replies that are unknown here. */
export const fetchReplies = job(
  'federation.fetch_replies',
  payload => ({ status: idIn(payload, 'status') }),
  async ({ status }, services: Services) => {
    const document = await unlessFailing(fetchAgain(services, status))
    const found = document ? await withDiscoveryBudget(() => fetchThread(services, keyOf(status), document)) : 0
    await finishRefresh(services.database, keyOf(status), found)
  },
  { attempts: 2, priority: 10 },
)

/**
 * Starts to fetch the replies to a remote status, at most once in fifteen minutes.
 * @returns the header that announces it to clients; undefined when nothing is fetched
 */
export async function refreshReplies(services: Services, status: Id): Promise<Record<string, string> | undefined> {
  const { database } = services
  const running = await database.transaction(async transaction => {
    if (!(await transaction.one(claim, { status }))) return runningRefresh(transaction, keyOf(status))
    const started = await startRefresh(transaction, keyOf(status), { counted: true })
    if (started !== undefined) await enqueue(transaction, fetchReplies, { status })
    return started
  })
  return running && refreshHeader(running)
}
