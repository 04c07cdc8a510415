import { parseId, type Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import { OutgoingFailure } from '../../platform/http_client/index.ts'
import { job, memberOf } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { orOutgoingFailure, withDiscoveryBudget } from '../fetch/index.ts'
import { resolveActor } from '../remote_accounts/index.ts'
import { processAndForward, receiveActivity, type Prefetched } from '../receive/index.ts'
import { failedRefreshes } from './failed_refreshes.ts'
import { activityTypeOf, metricType, parseObject, type ActivityType, type JsonObject } from '../protocol/index.ts'

const findSender = query(
  'federation/inbox/sender',
  { uri: c.text },
  { id: c.id, suspended: c.boolean, stale: c.boolean },
)

/** Types of activities of suspended accounts that are processed; other types are ignored. */
const TYPES_FROM_SUSPENDED: ReadonlySet<ActivityType | undefined> = new Set<ActivityType>([
  'Delete',
  'Reject',
  'Undo',
  'Update',
])

export interface DeliveredActivity {
  /** The host that delivered it; undefined for activities stored by an earlier version. */
  readonly host: string | undefined
  readonly activity: JsonObject
  /** The body as received. */
  readonly body: string
  /** The URI of the actor that signed the request. */
  readonly actor: string
  readonly recipient: Id | undefined
  readonly prefetched?: Prefetched | undefined
}

function parseDelivered(payload: unknown): DeliveredActivity {
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

/**
 * The account of an actor, fetched again if it is older than a day and its server answers; after a
 * failure at most once an hour.
 */
async function findCurrentSender(
  services: Services,
  uri: string,
  prefetched: Prefetched | undefined,
): Promise<{ id: Id; suspended: boolean } | undefined> {
  const { database } = services
  const stored = prefetched?.senders.get(uri) ?? (await database.one(findSender, { uri }))
  const failed = failedRefreshes(services)
  if (stored && (!stored.stale || stored.suspended || failed.has(uri))) return stored
  prefetched?.senders.delete(uri)
  const refreshed = await orOutgoingFailure(resolveActor(services, uri, { refresh: true }))
  if (refreshed instanceof OutgoingFailure && !stored) throw refreshed
  if (refreshed === undefined || refreshed instanceof OutgoingFailure) failed.set(uri, true)
  return database.one(findSender, { uri })
}

async function processDelivered(services: Services, delivered: DeliveredActivity): Promise<'processed' | 'ignored'> {
  const { activity, actor: actorUri, body, recipient, host, prefetched } = delivered
  const account = await findCurrentSender(services, actorUri, prefetched)
  if (!account) return 'ignored'
  if (account.suspended && !TYPES_FROM_SUSPENDED.has(activityTypeOf(activity))) return 'ignored'
  const received = { activity, actor: account.id, actorUri, recipient, deliveredBy: host, prefetched }
  await processAndForward(services, received, body, () => receiveActivity(services, received))
  return 'processed'
}

/** Processes an activity and counts it in the metrics. */
export async function processOne(services: Services, delivered: DeliveredActivity): Promise<void> {
  const count = (outcome: string): void =>
    services.metrics.received.inc({ type: metricType(delivered.activity), outcome })
  try {
    count(await processDelivered(services, delivered))
  } catch (error) {
    count('failed')
    throw error
  }
}

/** Retries an activity whose processing failed. */
export const retryActivity = job<DeliveredActivity, Services>(
  'federation.receive',
  parseDelivered,
  (delivered, services) => withDiscoveryBudget(() => processOne(services, delivered)),
  { attempts: 8, priority: 5 },
)
