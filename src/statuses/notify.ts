import { c, query } from '../platform/database/index.ts'
import type { Id } from '../core/id.ts'
import { idIn, job, memberOf } from '../platform/jobs/index.ts'
import type { Services } from '../platform/services.ts'

/** The number of notifications in one transaction: about 20 ms. */
const BATCH_SIZE = 100

const parameters = { status: c.id, after: c.id, limit: c.integer } as const
const editParameters = { ...parameters, since: c.timestamp } as const
const columns = { last: c.nullable(c.id), events: c.events } as const

const notifyFollowers = query('statuses/notify_followers', parameters, columns)
const notifyBoosters = query('statuses/notify_boosters', editParameters, columns)
const notifyQuoters = query('statuses/notify_quoters', editParameters, columns)

const TYPES = ['status', 'update', 'quoted_update'] as const

interface Payload {
  readonly status_id: Id
  readonly type: (typeof TYPES)[number]
}

/**
 * Sends notifications that are too many for the transaction of the post or edit, which has enqueued
 * this job (SQL of `statuses/post` and `statuses/edit`): to followers with notifications for each
 * post, and to accounts that boosted or quote an edited status. It may be interrupted: whoever was
 * notified since it was enqueued is not notified again.
 */
export const notifyMany = job<Payload, Services>(
  'statuses.notify',
  parsePayload,
  async ({ status_id: status, type }, { database }, { signal, enqueuedAt: since }) => {
    for (let after: Id | null = '0'; after !== null;) {
      signal.throwIfAborted()
      const batch: { status: Id; after: Id; limit: number } = { status, after, limit: BATCH_SIZE }
      const done =
        type === 'status'
          ? await database.one(notifyFollowers, batch)
          : await database.one(type === 'update' ? notifyBoosters : notifyQuoters, { ...batch, since })
      after = done?.last ?? null
    }
  },
)

function parsePayload(payload: unknown): Payload {
  const type = TYPES.find(known => known === memberOf(payload, 'type'))
  if (type === undefined) throw new Error('the payload has no known type')
  return { status_id: idIn(payload, 'status_id'), type }
}
