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
import { findHosts, recordFailure, recordSuccess, type DeliveryHost } from './delivery_hosts.ts'

const findOutgoing = query(
  'federation/send/outgoing',
  { id: c.id },
  { sender_id: c.nullable(c.id), object: c.text, body: c.text, signing_key: c.nullable(c.bytes) },
)
const waitingBefore = query(
  'federation/send/waiting_before',
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
  /** The number of this attempt, from 1. */
  readonly attempt: number
  /** The delivery is given up after this many attempts. */
  readonly maximum: number
}

type Outgoing = Row<typeof findOutgoing.columns>

/** The body as it is sent. */
interface Signed extends Outgoing {
  /** Digests of the sender's followers, by host. */
  readonly digests: ReadonlyMap<string, string>
}

const MAX_ATTEMPTS = 17
const TIMEOUT_MS = 10_000
/** Answers are not read. */
const MAX_BYTES = 1
/** The most requests of one job at a time. */
const AT_ONCE = 25
const FINAL_EXCEPTIONS = new Set([401, 408, 429])

const isFinal = (status: number): boolean =>
  status === 501 || (status >= 400 && status < 500 && !FINAL_EXCEPTIONS.has(status))

/** The wait before a retry, counted from 0: n⁴ and 15 seconds, and up to half of n⁴ by chance. */
const waitMs = (retry: number): number => (retry ** 4 * (1 + Math.random() / 2) + 15) * 1000

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

/** Sends one request; if its draft-cavage signature is refused, again with RFC 9421. */
async function post(services: Services, inbox: string, outgoing: Signed): Promise<number> {
  const { sender_id: sender, body } = outgoing
  const synchronization = outgoing.digests.get(hostOf(inbox) ?? '')
  const signer = await getSigner(services, sender, outgoing.signing_key)
  const send = async (scheme: SignatureScheme): Promise<number> => {
    const unsigned = { method: 'POST', url: inbox, body, contentType: ACTIVITY_TYPE, synchronization } as const
    const headers = await signedHeaders(unsigned, signer, scheme)
    const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES }
    return (await services.outgoing.request(inbox, { method: 'POST', headers, body, ...limits })).status
  }
  const status = await send('cavage')
  return status === 400 || status === 401 ? send('rfc9421') : status
}

interface Circumstances {
  readonly outgoing: Signed
  /** Of the activity, for metrics. */
  readonly type: string
  /** The state of the servers to which deliveries have failed. */
  readonly hosts: ReadonlyMap<string, DeliveryHost>
  /** The next attempts of earlier deliveries about the same object, by key. */
  readonly waiting: ReadonlyMap<string, Date>
  /** Gets the hosts that accepted it. */
  readonly reached: Set<string>
}

/**
 * Whether the inbox accepted the activity or refused it for good; false for a temporary failure.
 */
async function isSettled(
  services: Services,
  inbox: string,
  { outgoing, type, hosts, reached }: Circumstances,
): Promise<boolean> {
  const host = hostOf(inbox) ?? ''
  const count = (outcome: string): void => services.metrics.delivered.inc({ type, outcome })
  try {
    const status = await post(services, inbox, outgoing)
    const isTaken = status >= 200 && status < 300
    count(isTaken ? 'taken' : isFinal(status) ? 'refused' : 'failed')
    if (isTaken) reached.add(host)
    if (isTaken && hosts.has(host)) await recordSuccess(services, host)
    else if (!isTaken && !isFinal(status)) await recordFailure(services, host, String(status))
    return isTaken || isFinal(status)
  } catch (error) {
    if (!(error instanceof OutgoingFailure)) throw error
    count(error.reason === 'refused' ? 'refused' : 'failed')
    if (error.reason === 'refused') return true
    await recordFailure(services, host, error.reason)
    return false
  }
}

/** The key of the next attempt, under which later deliveries about the object find it. */
const keyOf = (object: string, inbox: string): string =>
  `federation.deliver:${createHash('sha256').update(`${object}\n${inbox}`).digest('base64url')}`

/**
 * Delivers to one inbox, or puts it off: while the server is paused, while an earlier delivery
 * about the same object waits for its next attempt, and after a failure.
 */
async function deliverTo(
  services: Services,
  inbox: string,
  { activity, attempt, maximum }: Delivery,
  circumstances: Circumstances,
): Promise<void> {
  const { outgoing, hosts, waiting } = circumstances
  const { object } = outgoing
  const host = hosts.get(hostOf(inbox) ?? '')
  const again = (next: number, at: Date, key: string | null) =>
    services.database.run(retry, { activity, inbox, attempt: next, at, key, object, maximum })
  if (host?.unavailable === true) return
  const key = keyOf(object, inbox)
  const before = waiting.get(key)
  // Moments later: the jobs of one queue run in the order of their times.
  if (attempt === 1 && before) return void (await again(1, new Date(before.getTime() + 1000), null))
  if (host?.pausedUntil !== undefined && host.pausedUntil.getTime() > Date.now())
    return void (await again(attempt, host.pausedUntil, key))
  if (await isSettled(services, inbox, circumstances)) return
  if (attempt < maximum) await again(attempt + 1, new Date(Date.now() + waitMs(attempt - 1)), key)
}

async function circumstancesOf(
  { inboxes, attempt }: Delivery,
  services: Services,
  outgoing: Signed,
): Promise<Circumstances> {
  const hosts = await findHosts(
    services,
    inboxes.map(inbox => hostOf(inbox) ?? ''),
  )
  const keys = attempt === 1 ? inboxes.map(inbox => keyOf(outgoing.object, inbox)) : []
  const before = keys.length === 0 ? [] : await services.database.run(waitingBefore, { keys })
  const type = metricType(parseObject(outgoing.body) ?? {})
  const waiting = new Map(before.map(({ key, run_at }) => [key ?? '', run_at ?? new Date()]))
  return { outgoing, type, hosts, waiting, reached: new Set() }
}

/** Delivers an activity to a batch of inboxes. */
export const deliver = job(
  'federation.deliver',
  parse,
  async (delivery, services: Services) => {
    const found = await services.database.one(findOutgoing, { id: delivery.activity })
    if (!found) return
    const body = await signedBody(services, delivery.activity, found.sender_id, found.body)
    const inboxes = await filterRequestable(services, delivery.inboxes)
    const digests = await followersDigests(
      services,
      found.sender_id,
      body,
      [...inboxes].map(inbox => hostOf(inbox) ?? ''),
    )
    const outgoing = { ...found, body, digests }
    const circumstances = await circumstancesOf(delivery, services, outgoing)
    const turns = createSemaphore(AT_ONCE)
    await Promise.all([...inboxes].map(inbox => turns.run(() => deliverTo(services, inbox, delivery, circumstances))))
    await deliverySuccesses(services).add(circumstances.reached)
  },
  { attempts: 3, priority: 10 },
)
