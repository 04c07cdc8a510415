import { c, query } from '../../platform/database/index.ts'
import { OutgoingFailure } from '../../platform/http_client/index.ts'
import { job, memberOf } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { withDiscoveryBudget } from '../fetch/index.ts'
import { hostOf } from '../protocol/index.ts'
import { resolveStatus } from './resolve_status.ts'

const enqueueRelayed = query('federation/receive/enqueue_relayed', { uri: c.text }, { id: c.id })

/**
 * A status whose turn comes later is not fetched: a relay that announces more than this server can
 * fetch would have all wait longer and longer.
 */
const MAX_WAIT_MS = 60 * 60 * 1000

function parsePayload(payload: unknown): string {
  const uri = memberOf(payload, 'uri')
  if (typeof uri !== 'string') throw new Error('the payload names no status')
  return uri
}

/** Fetches and stores a status that a relay announced. */
export const fetchRelayed = job<string, Services>(
  'federation.fetch_relayed',
  parsePayload,
  async (uri, services, { enqueuedAt, lastAttempt }) => {
    if (enqueuedAt.getTime() < Date.now() - MAX_WAIT_MS) return
    try {
      await withDiscoveryBudget(() => resolveStatus(services, uri))
    } catch (error) {
      if (!(error instanceof OutgoingFailure) || !lastAttempt) throw error
    }
  },
  { attempts: 2, priority: 30 },
)

/**
 * Has an unknown status that a relay announces fetched outside the lane, in which other servers
 * wait for their turn.
 */
export async function enqueueFetchRelayed({ database }: Services, uri: string): Promise<void> {
  if (hostOf(uri) !== undefined) await database.run(enqueueRelayed, { uri })
}
