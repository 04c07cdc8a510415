import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import { parseCursor, type Cursor } from '../../platform/events/index.ts'
import { createCircuitBreaker } from '../../platform/http_client/index.ts'
import { idIn, job, memberOf } from '../../platform/jobs/index.ts'
import { perServer, type Services } from '../../platform/services.ts'
import { isWebhookEvent, type WebhookEvent } from './events.ts'
import { makePayload } from './payload.ts'
import { sendToWebhook, type Outcome } from './send.ts'
import { findWebhook, type Webhook } from './webhook.ts'

const failureQuery = query('administration/webhooks/record_failure', { id: c.id, error: c.text }, {})
const successQuery = query('administration/webhooks/record_success', { id: c.id }, {})

/** The payload that the SQL function `enqueue_webhooks` writes. */
interface Delivery {
  readonly webhook: Id
  readonly event: WebhookEvent
  /** The account, the report or the status. */
  readonly subject: Id
  /** The time of the event. */
  readonly occurredAt: string
  /** The event's position in the log; undefined in deliveries of older versions. */
  readonly position?: Cursor
}

/** The longest wait for the event log in one attempt. */
const LOG_WAIT_MS = 2000
/** From this attempt on, minutes later, a delivery no longer waits for the event log. */
const LAST_WAITING_ATTEMPT = 6
/** Lower than push messages and e-mails to many, so that a slow receiver does not delay them. */
const PRIORITY = 20

/** This process's circuit breaker for receivers. */
const circuitBreaker = perServer(() => createCircuitBreaker())

/** Sends a body, and records the failure or resets the number of failures. */
async function sendAndRecord(
  services: Services,
  webhook: Webhook,
  body: string,
  signal?: AbortSignal,
): Promise<Outcome> {
  const outcome = await sendToWebhook(services, webhook, body, signal)
  if (outcome.delivered) {
    if (webhook.failures > 0) await services.database.run(successQuery, { id: webhook.id })
  } else await services.database.run(failureQuery, { id: webhook.id, error: outcome.reason })
  return outcome
}

/** As `sendAndRecord`, but fails at once while the receiver is suspended for not responding. */
async function sendUnlessSuspended(
  services: Services,
  webhook: Webhook,
  body: string,
  signal: AbortSignal,
): Promise<Outcome> {
  const { host } = new URL(webhook.url)
  const known = circuitBreaker(services)
  if (known.isOpen(host))
    return { delivered: false, reason: `${host} has not responded recently`, responded: false, isFinal: false }
  const outcome = await sendAndRecord(services, webhook, body, signal)
  if (outcome.delivered || outcome.responded) known.recordResponse(host)
  else if (!outcome.isFinal) known.recordFailure(host)
  return outcome
}

/**
 * Delivers an event to a webhook. Failed attempts are retried for a day and a half, with growing
 * delays, unless the response says that this is useless.
 */
export const deliver = job<Delivery, Services>(
  'webhooks.deliver',
  parseDelivery,
  async ({ webhook: id, event, subject, occurredAt, position }, services, { attempt: number, lastAttempt, signal }) => {
    const webhook = await findWebhook(services.database, id)
    if (!webhook?.enabled || !webhook.events.includes(event)) return
    // A job may start before its process has read the event, and would then render stale caches.
    const isCurrent =
      position === undefined || (await services.events.reached(position, { timeoutMs: LOG_WAIT_MS, signal }))
    if (!isCurrent && number < LAST_WAITING_ATTEMPT) throw new Error('the event log is behind')
    const body = await makePayload(services, event, subject, occurredAt)
    if (body === undefined) return
    const outcome = await sendUnlessSuspended(services, webhook, body, signal)
    if (outcome.delivered) return
    if (!outcome.isFinal && !lastAttempt) throw new Error(outcome.reason)
    services.logger.warn({ webhook: id, event, subject, reason: outcome.reason }, 'gave up a delivery to a webhook')
  },
  { priority: PRIORITY },
)

function parseDelivery(payload: unknown): Delivery {
  const [event, occurredAt] = [memberOf(payload, 'event'), memberOf(payload, 'at')]
  if (typeof event !== 'string' || !isWebhookEvent(event)) throw new Error('the payload has no event')
  if (typeof occurredAt !== 'string') throw new Error('the payload has no time')
  const position = memberOf(payload, 'position')
  const cursor = typeof position === 'string' ? parseCursor(position) : undefined
  return {
    webhook: idIn(payload, 'webhook'),
    event,
    subject: idIn(payload, 'subject'),
    occurredAt,
    ...(cursor && { position: cursor }),
  }
}

/** Sends an event `webhook.test` at once, also to a disabled webhook. */
export function testWebhook(services: Services, webhook: Webhook): Promise<Outcome> {
  const { id, url, events } = webhook
  const body = { event: 'webhook.test', created_at: new Date().toISOString(), object: { id, url, events } }
  return sendAndRecord(services, webhook, JSON.stringify(body))
}
