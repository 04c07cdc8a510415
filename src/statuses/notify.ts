import { c, query } from '../platform/database/index.ts'
import type { Id } from '../core/id.ts'
import { idIn, job, memberOf } from '../platform/jobs/index.ts'
import type { Services } from '../platform/services.ts'

/** The number of notifications in one transaction: about 20 ms. */
const BATCH_SIZE = 100

const parameters = { status: c.id, after: c.id, limit: c.integer } as const
const columns = { last: c.nullable(c.id), events: c.events } as const

const PARTS = {
  status: query('statuses/notify_followers', parameters, columns),
  update: query('statuses/notify_boosters', parameters, columns),
  quoted_update: query('statuses/notify_quoters', parameters, columns),
} as const

const TYPES = ['status', 'update', 'quoted_update'] as const satisfies readonly (keyof typeof PARTS)[]

interface Payload {
  readonly status_id: Id
  readonly type: keyof typeof PARTS
}

/**
 * Sends notifications that are too many for the transaction of the post or edit, which has enqueued
 * this job (SQL of `statuses/post` and `statuses/edit`): to followers with notifications for each
 * post, and to accounts that boosted or quote an edited status.
 */
export const notifyMany = job<Payload, Services>(
  'statuses.notify',
  parsePayload,
  async ({ status_id: status, type }, { database }, { signal }) => {
    for (let after: Id | null = '0'; after !== null;) {
      signal.throwIfAborted()
      after = (await database.one(PARTS[type], { status, after, limit: BATCH_SIZE }))?.last ?? null
    }
  },
)

function parsePayload(payload: unknown): Payload {
  const type = TYPES.find(known => known === memberOf(payload, 'type'))
  if (type === undefined) throw new Error('the payload has no known type')
  return { status_id: idIn(payload, 'status_id'), type }
}
