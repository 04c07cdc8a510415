import { c, query, type Runner } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { enqueue, type JobKind } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { requireRoom } from './limits.ts'
import { sentParams, type SentParams, settled, type Settled } from './params.ts'

const add = query(
  'statuses/scheduled/add',
  {
    account: c.id,
    application: c.nullable(c.id),
    scheduled_at: c.timestamp,
    params: sentParams,
    settled,
    media: c.ids,
    idempotency_key: c.nullable(c.text),
  },
  { id: c.id, reserved: c.integer },
)

/** The job that publishes; its work is in src/statuses, where posting is. */
export const PUBLISH: JobKind<{ id: Id }> = { name: 'scheduled_statuses.publish', attempts: 10, priority: 0 }

export interface Schedule {
  readonly account: Id
  readonly application: Id | null
  readonly at: Date
  readonly params: SentParams
  readonly settled: Settled
  readonly media: readonly Id[]
  /** The Idempotency-Key, null for none. */
  readonly key: string | null
}

/**
 * Stores a scheduled status and reserves its attachments.
 * @param mediaMissing the error when one of the attachments has been used meanwhile
 * @returns undefined when another post used the key meanwhile
 * @throws ApiError when a limit is exceeded
 */
export function storeSchedule(
  { database }: Services,
  { account, application, at, params, settled: known, media, key }: Schedule,
  mediaMissing: () => Error,
): Promise<Id | undefined> {
  return database.transaction(async transaction => {
    await requireRoom(transaction, account, at, null)
    const row = await transaction.one(add, {
      account,
      application,
      scheduled_at: at,
      params,
      settled: known,
      media: [...media],
      idempotency_key: key,
    })
    if (!row) return undefined
    if (row.reserved < media.length) throw mediaMissing()
    await enqueuePublishing(transaction, row.id, at)
    return row.id
  })
}

/** Schedules publication at this time, and at no other. */
export const enqueuePublishing = (transaction: Runner, id: Id, at: Date): Promise<void> =>
  enqueue(transaction, PUBLISH, { id }, { at, key: `${PUBLISH.name}:${id}` })
