import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import { perServer } from '../../platform/services.ts'

const store = query(
  'federation/inbox/store',
  { hosts: c.texts, actors: c.texts, bodies: c.texts, recipients: c.texts },
  { accepted: c.boolean },
)
const findBacklog = query(
  'federation/inbox/backlog',
  { maximum: c.integer, max_bytes: c.bigint },
  { total: c.integer, total_bytes: c.bigint, full_hosts: c.texts },
)

/** A delivered activity whose signature was verified. */
interface ReceivedActivity {
  readonly host: string
  readonly actor: string
  readonly body: string
  readonly recipient: Id | null
}

interface PendingActivity {
  readonly activity: ReceivedActivity
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** The maximum number of activities in one commit. */
const MAX_BATCH = 100
/** The maximum number of requests that wait for their commit; others are refused. */
const MAX_PENDING = 2000
/** The maximum number of stored activities that wait to be processed: of all hosts, and of one. */
const MAX_BACKLOG = 200_000
const MAX_OF_HOST = 20_000
/** The bytes of their texts, of which each may have a megabyte. */
const MAX_BACKLOG_BYTES = 1024 ** 3
const MAX_BYTES_OF_HOST = 64 * 1024 ** 2
const RECOUNT_MS = 2000

/**
 * Stores delivered activities. Those that arrive during a commit share the next one. The queue is
 * bounded for each host and in total; beyond that the answer is 503, and servers deliver later.
 */
export const receivedActivities = perServer(({ database }) => {
  const pending: PendingActivity[] = []
  let isStoring = false
  let countedAt = -Infinity
  let backlog = { total: 0, total_bytes: '0', full_hosts: [] as readonly string[] }

  async function storeBatch(batch: readonly PendingActivity[]): Promise<void> {
    const all = batch.map(one => one.activity)
    await database.run(store, {
      hosts: all.map(({ host }) => host),
      actors: all.map(({ actor }) => actor),
      bodies: all.map(({ body }) => body),
      recipients: all.map(({ recipient }) => recipient ?? ''),
    })
    await recountBacklog()
  }

  async function storePending(): Promise<void> {
    isStoring = true
    for (let batch = pending.splice(0, MAX_BATCH); batch.length > 0; batch = pending.splice(0, MAX_BATCH))
      await storeBatch(batch).then(
        () => batch.forEach(one => one.resolve()),
        (error: unknown) => batch.forEach(one => one.reject(error)),
      )
    isStoring = false
  }

  /** Counts the backlog again if the last count is old; called too while full queues refuse all. */
  async function recountBacklog(): Promise<void> {
    if (performance.now() - countedAt < RECOUNT_MS) return
    countedAt = performance.now()
    const found = await database.one(findBacklog, { maximum: MAX_OF_HOST, max_bytes: String(MAX_BYTES_OF_HOST) })
    backlog = found ?? backlog
  }

  return {
    /** @throws ApiError unavailable when the queue is full */
    async store(activity: ReceivedActivity): Promise<void> {
      const isFull = (): boolean =>
        backlog.total >= MAX_BACKLOG ||
        Number(backlog.total_bytes) >= MAX_BACKLOG_BYTES ||
        backlog.full_hosts.includes(activity.host)
      if (isFull()) await recountBacklog()
      if (isFull() || pending.length >= MAX_PENDING) throw new ApiError('unavailable')
      await new Promise<void>((resolve, reject) => {
        pending.push({ activity: activity, resolve, reject })
        if (!isStoring) void storePending()
      })
    },
  }
})
