import { setImmediate } from 'node:timers/promises'
import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import { job, memberOf } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { withDiscoveryBudget } from '../fetch/index.ts'
import { createConcurrentGroup, isFullyPrefetched, prefetch, trackPrefetch, type Prefetched } from '../receive/index.ts'
import { parseObject } from '../protocol/index.ts'
import { processOne, type Delivered } from './process.ts'

const take = query(
  'federation/inbox/take',
  { lane: c.integer, amount: c.integer },
  { id: c.id, host: c.text, actor: c.text, body: c.text, recipient_id: c.nullable(c.id) },
)
const settle = query('federation/inbox/settle', { ids: c.ids, failed: c.ids }, { failed: c.integer })
const wake = query('federation/inbox/wake', { lane: c.integer }, { woken: c.boolean })

/** Activities that are removed in one commit; a crash repeats at most this many. */
const BATCH = 50
const TURN_MS = 2000
/** For how long activities are begun before requests have their turn. */
const BUSY_MS = 5

interface Taken extends Omit<Delivered, 'prefetched'> {
  readonly id: Id
}

/** Processes one; its id when it failed. */
async function attempt(
  services: Services,
  { id, ...delivered }: Taken,
  prefetched: Prefetched | undefined,
): Promise<Id | undefined> {
  try {
    await withDiscoveryBudget(() => processOne(services, { ...delivered, prefetched }))
    return undefined
  } catch (error) {
    services.logger.warn(
      { err: error, actor: delivered.actor },
      'an activity was not processed and will be tried again',
    )
    return id
  }
}

/** Processes activities that do not depend on each other; the ids of those that failed. */
async function processTogether(
  services: Services,
  group: readonly Taken[],
  prefetched: Prefetched | undefined,
): Promise<Id[]> {
  const begun: Promise<Id | undefined>[] = []
  let busySince = performance.now()
  for (const taken of group) {
    begun.push(attempt(services, taken, prefetched))
    if (performance.now() - busySince < BUSY_MS) continue
    await setImmediate()
    busySince = performance.now()
  }
  return (await Promise.all(begun)).filter(id => id !== undefined)
}

/** Processes activities in their order, those that do not depend on each other together. */
async function processAll(services: Services, batch: readonly Taken[]): Promise<Id[]> {
  // Each reads for itself then, so that one cannot hold up the others.
  const prefetched = await prefetch(services, batch).catch((error: unknown) => {
    services.logger.warn({ err: error }, 'what activities need could not be read together')
    return undefined
  })
  const { current, after } = trackPrefetch(prefetched)
  const failed: Id[] = []
  let group: Taken[] = []
  let dependencies = createConcurrentGroup()
  const processGroup = async (): Promise<void> => {
    failed.push(...(await processTogether(services, group, current())))
    for (const { activity, actor } of group) after(activity, actor)
    group = []
    dependencies = createConcurrentGroup()
  }
  for (const taken of batch) {
    const isAlone = !isFullyPrefetched(taken, current())
    if (group.length > 0 && (isAlone || !dependencies.add(taken.activity))) await processGroup()
    if (group.length === 0) dependencies.add(taken.activity)
    group.push(taken)
    if (isAlone) await processGroup()
  }
  if (group.length > 0) await processGroup()
  return failed
}

/** Processes the oldest activities of a lane. @returns whether there are more */
async function processBatch(services: Services, lane: number): Promise<boolean> {
  const { database } = services
  const rows = await database.run(take, { lane, amount: BATCH })
  if (rows.length === 0) return false
  const batch = rows.flatMap(({ recipient_id: recipient, ...row }) => {
    const activity = parseObject(row.body)
    return activity ? [{ ...row, activity, recipient: recipient ?? undefined }] : []
  })
  const failed = await processAll(services, batch)
  await database.run(settle, { ids: rows.map(({ id }) => id), failed })
  return rows.length === BATCH
}

function parseLane(payload: unknown): number {
  const lane = memberOf(payload, 'lane')
  if (typeof lane !== 'number') throw new Error('the payload has no lane')
  return lane
}

/**
 * Processes delivered activities. Those of one actor are in one lane, in order. After `TURN_MS`
 * another lane has its turn.
 */
export const receiveLane = job<number, Services>(
  'federation.receive_lane',
  parseLane,
  async (lane, services, { signal }) => {
    const endsAt = performance.now() + TURN_MS
    while (await processBatch(services, lane))
      if (signal.aborted || performance.now() > endsAt) return void (await services.database.run(wake, { lane }))
  },
  { attempts: 25, priority: 5 },
)
