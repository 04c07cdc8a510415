import { parseId, type Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import { OutgoingFailure } from '../../platform/http_client/index.ts'
import { job, memberOf } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { withBudget } from '../fetch/index.ts'
import { resolveActor } from '../remote_accounts/index.ts'
import { prefetch, trackPrefetched, processAndForward, receiveActivity, type Prefetched } from '../receive/index.ts'
import { countedType, parseObject, typesOf, type JsonObject } from '../terms/index.ts'

const findSender = query(
  'federation/inbox/sender',
  { uri: c.text },
  { id: c.id, suspended: c.boolean, stale: c.boolean },
)
const take = query(
  'federation/inbox/take',
  { lane: c.integer, amount: c.integer },
  { id: c.id, host: c.text, actor: c.text, body: c.text, recipient_id: c.nullable(c.id) },
)
const settle = query('federation/inbox/settle', { ids: c.ids, failed: c.ids }, { failed: c.integer })
const wake = query('federation/inbox/wake', { lane: c.integer }, { woken: c.boolean })

/** Activities that are removed in one commit; a crash repeats at most this many. */
const BATCH = 20
const TURN_MS = 2000

/** Activities of suspended accounts that are processed; others are ignored. */
const ALLOWED_TO_SUSPENDED = new Set(['Delete', 'Reject', 'Undo', 'Update'])

interface Delivered {
  /** Of the server that delivered it; undefined where an earlier release stored it. */
  readonly host: string | undefined
  readonly activity: JsonObject
  /** As it came. */
  readonly body: string
  /** The URI of the actor that signed the request. */
  readonly actor: string
  readonly recipient: Id | undefined
  readonly prefetched?: Prefetched | undefined
}

function parseDelivered(payload: unknown): Delivered {
  const [host, body, actor, recipient] = ['host', 'body', 'actor', 'recipient'].map(name => memberOf(payload, name))
  const activity = typeof body === 'string' ? parseObject(body) : undefined
  if (!activity || typeof body !== 'string' || typeof actor !== 'string') throw new Error('the payload has no activity')
  return {
    host: typeof host === 'string' ? host : undefined,
    activity,
    body,
    actor,
    recipient: typeof recipient === 'string' ? parseId(recipient) : undefined,
  }
}

/** The account of an actor, refreshed if it is older than a day and its server answers. */
async function currentAccount(
  services: Services,
  uri: string,
  prefetched: Prefetched | undefined,
): Promise<{ id: Id; suspended: boolean } | undefined> {
  const { database } = services
  const known = prefetched?.senders.get(uri) ?? (await database.one(findSender, { uri }))
  if (known && (!known.stale || known.suspended)) return known
  prefetched?.senders.delete(uri)
  try {
    await resolveActor(services, uri, { refresh: true })
  } catch (error) {
    if (!known || !(error instanceof OutgoingFailure)) throw error
  }
  return database.one(findSender, { uri })
}

async function takeOne(services: Services, delivered: Delivered): Promise<'processed' | 'ignored'> {
  const { activity, actor: actorUri, body, recipient, host, prefetched } = delivered
  const account = await currentAccount(services, actorUri, prefetched)
  if (!account) return 'ignored'
  if (account.suspended && !typesOf(activity).some(type => ALLOWED_TO_SUSPENDED.has(type))) return 'ignored'
  const received = { activity, actor: account.id, actorUri, recipient, deliveredBy: host, prefetched }
  await processAndForward(services, received, body, () => receiveActivity(services, received))
  return 'processed'
}

async function processOne(services: Services, delivered: Delivered): Promise<void> {
  const count = (outcome: string): void =>
    services.metrics.received.inc({ type: countedType(delivered.activity), outcome })
  try {
    count(await takeOne(services, delivered))
  } catch (error) {
    count('failed')
    throw error
  }
}

/** Retries an activity that failed. */
export const receive = job<Delivered, Services>(
  'federation.receive',
  parseDelivered,
  (delivered, services) => withBudget(() => processOne(services, delivered)),
  { attempts: 8, priority: 5 },
)

function parseLane(payload: unknown): number {
  const lane = memberOf(payload, 'lane')
  if (typeof lane !== 'number') throw new Error('the payload has no lane')
  return lane
}

/** Processes the oldest activities of a lane. @returns whether there are more */
async function processBatch(services: Services, lane: number): Promise<boolean> {
  const { database, logger } = services
  const rows = await database.run(take, { lane, amount: BATCH })
  if (rows.length === 0) return false
  const failed: Id[] = []
  const batch = rows.map(row => ({ ...row, activity: parseObject(row.body) }))
  // Each reads for itself then, so that one cannot hold up the others.
  const prefetched = await prefetch(services, batch).catch((error: unknown) => {
    logger.warn({ err: error }, 'what activities need could not be read together')
    return undefined
  })
  const { current, after } = trackPrefetched(prefetched)
  for (const { id, host, actor, body, activity, ...row } of batch) {
    if (!activity) continue
    try {
      const recipient = row.recipient_id ?? undefined
      const known = current()
      await withBudget(() => processOne(services, { host, activity, body, actor, recipient, prefetched: known }))
    } catch (error) {
      logger.warn({ err: error, actor }, 'an activity was not processed and will be tried again')
      failed.push(id)
    }
    after(activity, actor)
  }
  await database.run(settle, { ids: rows.map(({ id }) => id), failed })
  return rows.length === BATCH
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
