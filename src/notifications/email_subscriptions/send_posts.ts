import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import { enqueue, idIn, job, memberOf } from '../../platform/jobs/index.ts'
import { deliverOnce, type DeliveryOutcome } from '../../platform/mail/index.ts'
import type { Services } from '../../platform/services.ts'
import { renderPublicStatus } from '../../statuses/index.ts'
import { composePost } from './compose_post.ts'
import { endSubscription } from './subscribers.ts'

const findRecipients = query(
  'notifications/email_subscriptions/recipients',
  { status: c.id, after: c.nullable(c.id), limit: c.integer },
  { id: c.id },
)
const findRecipient = query(
  'notifications/email_subscriptions/recipient',
  { status: c.id, subscription: c.id },
  { email: c.text, locale: c.nullable(c.text) },
)

const BATCH = 50
/** Confirmations and notifications are sent before posts. */
const PRIORITY = 10
const SOON_MS = 60_000

/** Sends a post to a subscriber, unless either was removed meanwhile. */
async function sendTo(services: Services, status: Id, subscription: Id): Promise<DeliveryOutcome | 'gone'> {
  const { database, settings, logger } = services
  if (!settings.get('email_subscriptions')) return 'gone'
  const recipient = await database.one(findRecipient, { status, subscription })
  const rendered = recipient && (await renderPublicStatus(services, status))
  if (!rendered) return 'gone'
  const email = composePost(services, rendered, { subscription, ...recipient })
  const outcome = await deliverOnce(services, { mailing: `status:${status}`, recipient: subscription, email })
  if (outcome === 'refused') {
    logger.info({ subscription }, 'removed a subscription whose address is refused')
    await endSubscription(database, subscription)
  }
  return outcome
}

/** Sends a post to one subscriber whose address was temporarily refused. */
export const sendPostAgain = job<{ status_id: Id; subscription: Id }, Services>(
  'email_subscriptions.send_again',
  payload => ({ status_id: idIn(payload, 'status_id'), subscription: idIn(payload, 'subscription') }),
  async ({ status_id: status, subscription }, services) => {
    if ((await sendTo(services, status, subscription)) === 'later') throw new Error('the address was refused for now')
  },
  { priority: PRIORITY },
)

/**
 * Sends a post to the next subscribers of its author, one after the other, and enqueues itself for
 * those after them. `enqueue_subscription_emails` in SQL adds the first one. When the mail server
 * cannot be reached, the whole batch is repeated, without those that were sent.
 */
export const sendPost = job<{ status_id: Id; after: Id | null }, Services>(
  'email_subscriptions.send',
  payload => ({
    status_id: idIn(payload, 'status_id'),
    after: (memberOf(payload, 'after') ?? null) === null ? null : idIn(payload, 'after'),
  }),
  async ({ status_id: status, after }, services, { signal }) => {
    const { database, settings } = services
    if (!settings.get('email_subscriptions')) return
    const recipients = await database.run(findRecipients, { status, after, limit: BATCH })
    for (const { id } of recipients) {
      signal.throwIfAborted()
      if ((await sendTo(services, status, id)) === 'later') {
        const key = `email_subscriptions:${status}:again:${id}`
        const at = new Date(Date.now() + SOON_MS)
        await enqueue(database, sendPostAgain, { status_id: status, subscription: id }, { key, at })
      }
    }
    const last = recipients.at(-1)
    if (last && recipients.length === BATCH) {
      const key = `email_subscriptions:${status}:${last.id}`
      await enqueue(database, sendPost, { status_id: status, after: last.id }, { key })
    }
  },
  { priority: PRIORITY },
)
