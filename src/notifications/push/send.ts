import { createHash } from 'node:crypto'
import { c, query, type Row } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { backOffMs, enqueue, idIn, job, memberOf } from '../../platform/jobs/index.ts'
import {
  createCircuitBreaker,
  OutgoingFailure,
  type OutgoingResponse,
  type OutgoingRequest,
} from '../../platform/http_client/index.ts'
import { perServer, type Services } from '../../platform/services.ts'
import { encryptPush } from './encrypt.ts'
import { makeMessage } from './message.ts'
import { parseRetryAfter } from './retry_after.ts'
import { decryptToken } from './encrypted_token.ts'
import { unsubscribeUrl } from './unsubscribe.ts'

const columns = {
  token_id: c.id,
  sealed_token: c.bytes,
  endpoint: c.text,
  key_p256dh: c.text,
  key_auth: c.text,
  standard: c.boolean,
  locale: c.nullable(c.text),
  id: c.id,
  type: c.text,
  username: c.text,
  display_name: c.text,
  note_html: c.text,
  avatar_key: c.nullable(c.text),
  spoiler_text: c.nullable(c.text),
  content: c.nullable(c.text),
} as const

const findMessage = query('notifications/push/message', { subscription: c.id, notification: c.id }, columns)
const dropSubscription = query('notifications/push/drop', { subscription: c.id, endpoint: c.text }, {})

interface Payload {
  readonly subscription_id: Id
  readonly notification_id: Id
  /**
   * The attempts made before the push service asked to wait, after which a new job was enqueued.
   */
  readonly tried: number
}

/** One attempt and five retries, over about four minutes. */
const ATTEMPTS = 6
/** Lower than user-visible work such as e-mail, so that a slow push service does not delay it. */
const PRIORITY = 10
const TIMEOUT_MS = 10_000
/** Only the status of the response is used. */
const MAX_BYTES = 4096
/** How long the push service stores a message for an offline device. */
const TTL_SECONDS = 48 * 60 * 60
/** Relays of Apple's devices encode a message once more, and it may have 4,096 bytes then. */
const MAX_ICON_CHARACTERS = 512

/** This process's circuit breaker for push services. */
const circuitBreaker = perServer(() => createCircuitBreaker())

/**
 * Pushes one notification to one subscription. Enqueued by the trigger `notifications_pushed`
 * (sql/functions/enqueue_pushes.sql) in the transaction that creates the notification. After a
 * crash a message may be sent twice; the second replaces the first if the device has not received
 * it yet (`Topic`).
 */
export const sendPush = job<Payload, Services>(
  'push.send',
  parsePayload,
  async (payload, services, { attempt, signal }) => {
    const { subscription_id: subscription, notification_id: notification } = payload
    const { database, secrets, logger, metrics } = services
    const found = await database.one(findMessage, { subscription, notification })
    if (!found) return
    const drop = (): Promise<unknown> => database.run(dropSubscription, { subscription, endpoint: found.endpoint })
    const token = decryptToken(secrets.cookieSecret, found.token_id, found.sealed_token)
    // The server's secret was replaced: messages can no longer be built. The client subscribes
    // again when it notices the missing subscription.
    if (token === undefined) return void (await drop())
    try {
      const response = await post(services, payload, found, token, signal)
      const outcome = outcomeOf(response.status)
      metrics.pushes.inc({ outcome })
      if (outcome === 'gone') await drop()
      else if (outcome === 'too_large') logger.warn({ subscription, notification }, 'a push message was too large')
      else if (outcome === 'failed')
        await waitOrFail(services, payload, attempt, response, new URL(found.endpoint).host)
    } catch (error) {
      if (error instanceof OutgoingFailure) metrics.pushes.inc({ outcome: error.reason })
      if (!(error instanceof OutgoingFailure) || error.reason !== 'refused') throw error
      logger.warn({ err: error, subscription }, 'a push message was not sent')
    }
  },
  { attempts: ATTEMPTS, priority: PRIORITY },
)

/**
 * Interprets a response: a push service that responds with 4xx will never accept a message for this
 * endpoint, unless it asks to retry later, or refuses one message for its size.
 */
function outcomeOf(status: number): 'sent' | 'gone' | 'too_large' | 'failed' {
  if (status >= 200 && status <= 299) return 'sent'
  if (status === 413) return 'too_large'
  return status >= 400 && status <= 499 && status !== 408 && status !== 429 ? 'gone' : 'failed'
}

/**
 * Schedules a retry: at the time that the push service asks for, as a new job with the remaining
 * attempts, else after the usual delay. @throws Error in that case
 */
async function waitOrFail(
  { database }: Services,
  payload: Payload,
  attempt: number,
  { status, headers }: OutgoingResponse,
  host: string,
): Promise<void> {
  const tried = payload.tried + attempt
  const left = ATTEMPTS - tried
  const waitMs = parseRetryAfter(headers['retry-after'], Date.now())
  if (waitMs === undefined || left <= 0) throw new Error(`the push service ${host} answered ${status}`)
  // By then the message is too old to be sent.
  if (waitMs > TTL_SECONDS * 1000) return
  await enqueue<Payload>(
    database,
    { ...sendPush, attempts: left },
    { ...payload, tried },
    {
      at: new Date(Date.now() + Math.max(waitMs, backOffMs(tried))),
      key: `push:${payload.subscription_id}:${payload.notification_id}`,
    },
  )
}

/**
 * Names a message, so that a repeated one replaces the first. Relays use it for all accounts of an
 * app on a device, so it differs between servers.
 */
const topicOf = ({ publicUrl }: Services['config'], subscription: Id, notification: Id): string =>
  createHash('sha256').update(`${publicUrl} ${subscription} ${notification}`).digest('base64url').slice(0, 24)

async function post(
  services: Services,
  { subscription_id: subscription, notification_id: notification }: Payload,
  found: Row<typeof columns>,
  token: string,
  signal: AbortSignal,
): Promise<OutgoingResponse> {
  const { config, secrets, storage, outgoing } = services
  const { host } = new URL(found.endpoint)
  const known = circuitBreaker(services)
  if (known.isOpen(host)) throw new Error(`${host} has not responded recently`)
  const avatar = found.avatar_key === null ? undefined : storage.url(found.avatar_key)
  const icon =
    avatar === undefined || avatar.length > MAX_ICON_CHARACTERS
      ? `${config.publicUrl}/avatars/original/missing.png`
      : avatar
  const message = JSON.stringify(makeMessage(found, token, icon, config.defaultLocale))
  const { headers, body } = await encryptPush(found, message, { vapid: secrets.vapid, contact: contactOf(services) })
  const request: OutgoingRequest = {
    method: 'POST',
    headers: {
      ...headers,
      Ttl: String(TTL_SECONDS),
      Urgency: 'normal',
      Topic: topicOf(config, subscription, notification),
      'Unsubscribe-URL': unsubscribeUrl(services, { id: subscription, endpoint: found.endpoint }),
    },
    body,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
    signal,
  }
  try {
    const response = await outgoing.request(found.endpoint, request)
    known.recordResponse(host)
    return response
  } catch (error) {
    if (error instanceof OutgoingFailure && error.reason !== 'refused') known.recordFailure(host)
    throw error
  }
}

/**
 * The operator's address for push services: the contact of the instance, else the sender of its
 * e-mails.
 */
function contactOf({ settings, config }: Services): string {
  const contact = settings.get('site_contact_email').trim()
  const sender = /<([^>]*)>/.exec(config.mailFrom)?.[1] ?? config.mailFrom
  return `mailto:${contact === '' ? sender.trim() : contact}`
}

function parsePayload(payload: unknown): Payload {
  const tried = memberOf(payload, 'tried')
  return {
    subscription_id: idIn(payload, 'subscription_id'),
    notification_id: idIn(payload, 'notification_id'),
    tried: typeof tried === 'number' ? tried : 0,
  }
}
