import { setImmediate } from 'node:timers/promises'
import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import { job, memberOf } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { withDiscoveryBudget } from '../fetch/index.ts'
import { createConcurrentGroup, isFullyPrefetched, prefetch, trackPrefetch, type Prefetched } from '../receive/index.ts'
import { parseObject } from '../protocol/index.ts'
import { processOne, type DeliveredActivity } from './process.ts'

const findOldest = query(
  'federation/inbox/oldest',
  { lane: c.integer, limit: c.integer },
  { id: c.id, host: c.text, actor: c.text, body: c.text, recipient_id: c.nullable(c.id) },
)
const finish = query('federation/inbox/finish', { ids: c.ids, failed: c.ids }, { failed: c.integer })
const enqueueLane = query('federation/inbox/enqueue_lane', { lane: c.integer }, { enqueued: c.boolean })

/** The number of activities removed in one commit; after a crash at most these are repeated. */
const BATCH_SIZE = 50
const MAX_RUN_MS = 2000
/** Activities are started for this long before the event loop handles requests. */
const YIELD_MS = 5

interface StoredActivity extends Omit<DeliveredActivity, 'prefetched'> {
  readonly id: Id
}

/** Processes an activity. @returns its id if it failed */
async function processStored(
  services: Services,
  { id, ...delivered }: StoredActivity,
  prefetched: Prefetched | undefined,
): Promise<Id | undefined> {
  try {
    await withDiscoveryBudget(() => processOne(services, { ...delivered, prefetched }))
    return undefined
  } catch (error) {
    services.logger.warn({ err: error, actor: delivered.actor }, 'processing an activity failed; it will be retried')
    return id
  }
}

/** Processes independent activities concurrently. @returns the ids of those that failed */
async function processConcurrently(
  services: Services,
  group: readonly StoredActivity[],
  prefetched: Prefetched | undefined,
): Promise<Id[]> {
  const running: Promise<Id | undefined>[] = []
  let yieldedAt = performance.now()
  for (const stored of group) {
    running.push(processStored(services, stored, prefetched))
    if (performance.now() - yieldedAt < YIELD_MS) continue
    await setImmediate()
    yieldedAt = performance.now()
  }
  return (await Promise.all(running)).filter(id => id !== undefined)
}

/** Processes activities in their order; neighbours that are independent run concurrently. */
async function processActivities(services: Services, batch: readonly StoredActivity[]): Promise<Id[]> {
  // Without prefetched rows each activity reads its own, so that a failure affects only one.
  const prefetched = await prefetch(services, batch).catch((error: unknown) => {
    services.logger.warn({ err: error }, 'prefetching the rows of a batch of activities failed')
    return undefined
  })
  const tracked = trackPrefetch(prefetched)
  const failed: Id[] = []
  let group: StoredActivity[] = []
  let dependencies = createConcurrentGroup()
  const processGroup = async (): Promise<void> => {
    failed.push(...(await processConcurrently(services, group, tracked.current())))
    for (const { activity, actor } of group) tracked.invalidate(activity, actor)
    group = []
    dependencies = createConcurrentGroup()
  }
  for (const stored of batch) {
    const isAlone = !isFullyPrefetched(stored, tracked.current())
    if (group.length > 0 && (isAlone || !dependencies.add(stored.activity))) await processGroup()
    if (group.length === 0) dependencies.add(stored.activity)
    group.push(stored)
    if (isAlone) await processGroup()
  }
  if (group.length > 0) await processGroup()
  return failed
}

/** Processes the oldest activities of a lane. @returns whether there may be more */
async function processBatch(services: Services, lane: number): Promise<boolean> {
  const { database } = services
  const rows = await database.run(findOldest, { lane, limit: BATCH_SIZE })
  if (rows.length === 0) return false
  const batch = rows.flatMap(({ recipient_id: recipient, ...row }) => {
    const activity = parseObject(row.body)
    return activity ? [{ ...row, activity, recipient: recipient ?? undefined }] : []
  })
  const failed = await processActivities(services, batch)
  await database.run(finish, { ids: rows.map(({ id }) => id), failed })
  return rows.length === BATCH_SIZE
}

function parseLane(payload: unknown): number {
  const lane = memberOf(payload, 'lane')
  if (typeof lane !== 'number') throw new Error('the payload has no lane')
  return lane
}

/**
 * Processes the delivered activities of a lane in order; those of one host are in one lane. After
 * `MAX_RUN_MS` the job is enqueued again, so that other lanes are processed.
 */
export const receiveLane = job<number, Services>(
  'federation.receive_lane',
  parseLane,
  async (lane, services, { signal }) => {
    const endsAt = performance.now() + MAX_RUN_MS
    while (await processBatch(services, lane))
      if (signal.aborted || performance.now() > endsAt) return void (await services.database.run(enqueueLane, { lane }))
  },
  { attempts: 25, priority: 5 },
)
