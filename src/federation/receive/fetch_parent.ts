import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import { OutgoingFailure } from '../../platform/http_client/index.ts'
import { idIn, job, memberOf } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { resolveStatus } from './resolve_status.ts'

const attach = query(
  'federation/receive/attach_to_parent',
  { status: c.id, parent: c.id },
  { id: c.id, events: c.events },
)
const lock = query('federation/receive/lock_threads', {}, { locks: c.integer })

interface MissingParent {
  readonly status: Id
  readonly uri: string
  /** How many statuses of the thread were fetched before. */
  readonly depth: number
}

function parsePayload(payload: unknown): MissingParent {
  const [uri, depth] = [memberOf(payload, 'uri'), memberOf(payload, 'depth')]
  if (typeof uri !== 'string' || typeof depth !== 'number') throw new Error('the payload names no parent')
  return { status: idIn(payload, 'status_id'), uri, depth }
}

/**
 * Fetches the unknown parent of a status of another server, and makes the status a reply to it.
 * Enqueued by receive_statuses in SQL; the parent's own parent is fetched in the same way.
 */
export const fetchParent = job<MissingParent, Services>(
  'federation.fetch_parent',
  parsePayload,
  async ({ status, uri, depth }, services, { lastAttempt }) => {
    try {
      const parent = await resolveStatus(services, uri, { depth: depth + 1 })
      if (!parent || parent.reblog_of_id !== null) return
      await services.database.transaction(async transaction => {
        await transaction.run(lock, {})
        await transaction.run(attach, { status, parent: parent.id })
      })
    } catch (error) {
      if (!(error instanceof OutgoingFailure) || !lastAttempt) throw error
    }
  },
  { attempts: 4, priority: 20 },
)
