import { createHash } from 'node:crypto'
import type { Id } from '../../core/id.ts'
import { createSemaphore } from '../../core/semaphore.ts'
import { c, query, type Row } from '../../platform/database/index.ts'
import { OutgoingFailure } from '../../platform/http_client/index.ts'
import { idIn, job, memberOf } from '../../platform/jobs/index.ts'
import type { Services } from '../../platform/services.ts'
import { filterRequestable } from '../fetch/index.ts'
import { signedHeaders, getSigner, type SignatureScheme } from '../keys/index.ts'
import { ACTIVITY_TYPE, metricType, hostOf, parseObject } from '../protocol/index.ts'
import { followersDigests } from './followers_digests.ts'
import { deliverySuccesses } from './delivery_successes.ts'
import { signedBody } from './signed_body.ts'
import { findHosts, recordFailure, clearFailures, type DeliveryHost } from './delivery_hosts.ts'

const findOutgoing = query(
  'federation/send/outgoing',
  { id: c.id },
  { sender_id: c.nullable(c.id), object: c.text, body: c.text, signing_key: c.nullable(c.bytes) },
)
const findEarlierRetries = query(
  'federation/send/earlier_retries',
  { keys: c.texts },
  { key: c.nullable(c.text), run_at: c.nullable(c.timestamp) },
)
const retry = query(
  'federation/send/retry',
  {
    activity: c.id,
    inbox: c.text,
    attempt: c.integer,
    at: c.timestamp,
    key: c.nullable(c.text),
    object: c.text,
    maximum: c.integer,
  },
  { id: c.id },
)

interface Delivery {
  readonly activity: Id
  readonly inboxes: readonly string[]
  /** The number of this attempt, counted from 1. */
  readonly attempt: number
  /** The delivery is given up after this many attempts. */
  readonly maximum: number
}

type StoredActivity = Row<typeof findOutgoing.columns>

/** An outgoing activity with the body as it is sent. */
interface SignedActivity extends StoredActivity {
  /** Digests of the sender's followers, by host. */
  readonly digests: ReadonlyMap<string, string>
}

const MAX_ATTEMPTS = 17
const TIMEOUT_MS = 10_000
/** Bodies of answers are not read. */
const MAX_BYTES = 1
/**
 * The maximum number of simultaneous requests of one job. A batch has at most fifty inboxes (see
 * `send_activity`), so servers that give no answer hold a job for two rounds of the time-out.
 */
const MAX_SIMULTANEOUS = 25
const RETRIED_STATUSES = new Set([401, 408, 429])

const isFinal = (status: number): boolean =>
  status === 501 || (status >= 400 && status < 500 && !RETRIED_STATUSES.has(status))

/**
 * The delay before retry n, counted from 0: n⁴ + 15 seconds, plus a random part of up to n⁴ / 2.
 */
const retryDelayMs = (retry: number): number => (retry ** 4 * (1 + Math.random() / 2) + 15) * 1000

function parse(payload: unknown): Delivery {
  const [inboxes, attempt, maximum] = ['inboxes', 'attempt', 'maximum'].map(name => memberOf(payload, name))
  if (!Array.isArray(inboxes) || typeof attempt !== 'number') throw new Error('the payload has no inboxes')
  return {
    activity: idIn(payload, 'activity'),
    inboxes: inboxes.filter(inbox => typeof inbox === 'string'),
    attempt,
    maximum: typeof maximum === 'number' ? maximum : MAX_ATTEMPTS,
  }
}

/**
 * Sends one request; if its draft-cavage signature is refused, repeats it with RFC 9421. A server
 * that fails at the second, because it does not know that scheme, has answered with the first.
 */
async function post(services: Services, inbox: string, outgoing: SignedActivity): Promise<number> {
  const { sender_id: sender, body } = outgoing
  const synchronization = outgoing.digests.get(hostOf(inbox) ?? '')
  const signer = await getSigner(services, sender, outgoing.signing_key)
  const send = async (scheme: SignatureScheme): Promise<number> => {
    const unsigned = { method: 'POST', url: inbox, body, contentType: ACTIVITY_TYPE, synchronization } as const
    const headers = await signedHeaders(unsigned, signer, scheme)
    const request = { method: 'POST', headers, body, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES } as const
    // Inboxes ignore an activity whose id they have received (ActivityPub, section 7.1.2).
    return (await services.outgoing.request(inbox, { ...request, idempotent: true })).status
  }
  const status = await send('cavage')
  if (status !== 400 && status !== 401) return status
  const second = await send('rfc9421')
  return second >= 500 ? status : second
}

interface DeliveryContext {
  readonly outgoing: SignedActivity
  /** The type of the activity, for metrics. */
  readonly type: string
  /** The state of the servers to which deliveries have failed. */
  readonly hosts: ReadonlyMap<string, DeliveryHost>
  /** The next attempts of earlier deliveries about the same object, by key. */
  readonly earlierRetries: ReadonlyMap<string, Date>
  /** Collects the hosts that accepted the activity. */
  readonly acceptedHosts: Set<string>
}

/**
 * Delivers to an inbox once.
 * @returns whether the delivery is finished, accepted or refused; false after a temporary failure
 */
async function attemptDelivery(
  services: Services,
  inbox: string,
  { outgoing, type, hosts, acceptedHosts }: DeliveryContext,
): Promise<boolean> {
  const host = hostOf(inbox) ?? ''
  const count = (outcome: string): void => services.metrics.delivered.inc({ type, outcome })
  try {
    const status = await post(services, inbox, outgoing)
    const isAccepted = status >= 200 && status < 300
    count(isAccepted ? 'taken' : isFinal(status) ? 'refused' : 'failed')
    if (isAccepted) acceptedHosts.add(host)
    if (isAccepted && hosts.has(host)) await clearFailures(services, host)
    else if (!isAccepted && !isFinal(status)) await recordFailure(services, host, String(status))
    return isAccepted || isFinal(status)
  } catch (error) {
    if (!(error instanceof OutgoingFailure)) throw error
    count(error.reason === 'refused' ? 'refused' : 'failed')
    if (error.reason === 'refused') return true
    await recordFailure(services, host, error.reason)
    return false
  }
}

/** The job key of a retry, by which later deliveries about the same object find it. */
const jobKey = (object: string, inbox: string): string =>
  `federation.deliver:${createHash('sha256').update(`${object}\n${inbox}`).digest('base64url')}`

/**
 * Delivers to one inbox, or schedules a later attempt: while the server is paused, while an earlier
 * delivery about the same object waits for its retry, and after a temporary failure.
 */
async function deliverTo(
  services: Services,
  inbox: string,
  { activity, attempt, maximum }: Delivery,
  deliveryContext: DeliveryContext,
): Promise<void> {
  const { outgoing, hosts, earlierRetries } = deliveryContext
  const { object } = outgoing
  const host = hosts.get(hostOf(inbox) ?? '')
  const scheduleAttempt = (next: number, at: Date, key: string | null) =>
    services.database.run(retry, { activity, inbox, attempt: next, at, key, object, maximum })
  // A Follow is tried once: a server that is back answers it, and is available from then on.
  if (host?.unavailable === true && (deliveryContext.type !== 'Follow' || attempt > 1)) return
  const key = jobKey(object, inbox)
  const earlier = earlierRetries.get(key)
  // A second after the earlier delivery: the jobs of one queue run in the order of their times.
  if (attempt === 1 && earlier) return void (await scheduleAttempt(1, new Date(earlier.getTime() + 1000), null))
  if (host?.pausedUntil !== undefined && host.pausedUntil.getTime() > Date.now())
    return void (await scheduleAttempt(attempt, host.pausedUntil, key))
  if (await attemptDelivery(services, inbox, deliveryContext)) return
  if (attempt < maximum) await scheduleAttempt(attempt + 1, new Date(Date.now() + retryDelayMs(attempt - 1)), key)
}

async function prepareDelivery(
  { inboxes, attempt }: Delivery,
  services: Services,
  outgoing: SignedActivity,
): Promise<DeliveryContext> {
  const hosts = await findHosts(
    services,
    inboxes.map(inbox => hostOf(inbox) ?? ''),
  )
  const keys = attempt === 1 ? inboxes.map(inbox => jobKey(outgoing.object, inbox)) : []
  const earlier = keys.length === 0 ? [] : await services.database.run(findEarlierRetries, { keys })
  const type = metricType(parseObject(outgoing.body) ?? {})
  const earlierRetries = new Map(earlier.map(({ key, run_at }) => [key ?? '', run_at ?? new Date()]))
  return { outgoing, type, hosts, earlierRetries, acceptedHosts: new Set() }
}

/** Delivers an activity to a batch of inboxes. */
export const deliver = job(
  'federation.deliver',
  parse,
  async (delivery, services: Services) => {
    const stored = await services.database.one(findOutgoing, { id: delivery.activity })
    if (!stored) return
    const body = await signedBody(services, delivery.activity, stored.sender_id, stored.body)
    const inboxes = await filterRequestable(services, delivery.inboxes)
    const digests = await followersDigests(
      services,
      stored.sender_id,
      body,
      [...inboxes].map(inbox => hostOf(inbox) ?? ''),
    )
    const outgoing = { ...stored, body, digests }
    const deliveryContext = await prepareDelivery(delivery, services, outgoing)
    const semaphore = createSemaphore(MAX_SIMULTANEOUS)
    await Promise.all(
      [...inboxes].map(inbox => semaphore.run(() => deliverTo(services, inbox, delivery, deliveryContext))),
    )
    await deliverySuccesses(services).add(deliveryContext.acceptedHosts)
  },
  { attempts: 3, priority: 10 },
)
