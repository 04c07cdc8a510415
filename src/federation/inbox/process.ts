import { parseId, type Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import { OutgoingFailure } from '../../platform/http_client/index.ts'
import { job, memberOf } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { withDiscoveryBudget } from '../fetch/index.ts'
import { resolveActor } from '../remote_accounts/index.ts'
import { processAndForward, receiveActivity, type Prefetched } from '../receive/index.ts'
import { metricType, parseObject, typesOf, type JsonObject } from '../protocol/index.ts'

const findSender = query(
  'federation/inbox/sender',
  { uri: c.text },
  { id: c.id, suspended: c.boolean, stale: c.boolean },
)

/** Activities of suspended accounts that are processed; others are ignored. */
const ALLOWED_TO_SUSPENDED = new Set(['Delete', 'Reject', 'Undo', 'Update'])

export interface Delivered {
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

/** Processes an activity, and counts it. */
export async function processOne(services: Services, delivered: Delivered): Promise<void> {
  const count = (outcome: string): void =>
    services.metrics.received.inc({ type: metricType(delivered.activity), outcome })
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
  (delivered, services) => withDiscoveryBudget(() => processOne(services, delivered)),
  { attempts: 8, priority: 5 },
)
