import { hashSecret, randomSecret } from '../../core/secret.ts'
import type { Id } from '../../core/id.ts'
import { c, query } from '../../platform/database/index.ts'
import { idIn, job } from '../../platform/jobs/index.ts'
import { composeEmail, nameInMail } from '../../platform/mail/messages/index.ts'
import { sendFromJob } from '../../platform/mail/index.ts'
import type { Services } from '../../platform/services.ts'
import { unsubscribeLink } from '../unsubscribe/index.ts'
import { CONFIRMATION_PATH } from './links.ts'
import { endSubscription } from './subscribers.ts'

const renew = query(
  'notifications/email_subscriptions/renew_confirmation',
  { subscription: c.id, token_hash: c.bytes },
  { email: c.text, locale: c.nullable(c.text), confirmed: c.boolean, username: c.text, display_name: c.text },
)

/**
 * Answers a request to subscribe by an e-mail. The token is created here and not at enqueueing,
 * because only its hash is stored.
 */
export const sendConfirmation = job<{ subscription: Id }, Services>(
  'email_subscriptions.confirm',
  payload => ({ subscription: idIn(payload, 'subscription') }),
  async ({ subscription }, services) => {
    const { database, settings, config, logger } = services
    if (!settings.get('email_subscriptions')) return
    const token = randomSecret()
    const found = await database.one(renew, { subscription, token_hash: hashSecret(token) })
    if (!found) return
    const { email, locale, confirmed, username } = found
    const link = new URL(CONFIRMATION_PATH, config.publicUrl)
    link.searchParams.set('confirmation_token', token)
    const values = {
      email,
      name: nameInMail(found.display_name, username),
      account: `${username}@${config.localDomain}`,
    }
    const recipient = { email, username: null, locale }
    const composed = confirmed
      ? composeEmail(services, 'subscription_repeated', recipient, `${config.publicUrl}/@${username}`, values, {
          unsubscribe: unsubscribeLink(services, 'posts', subscription),
        })
      : composeEmail(services, 'subscription_confirmation', recipient, link.href, values)
    const failure = await sendFromJob(services, composed)
    // Anybody can repeat a request: a refusal of its answer ends no subscription.
    if (failure !== 'recipient' || confirmed) return
    logger.info({ subscription }, 'removed a subscription whose address is refused')
    await endSubscription(database, subscription)
  },
)
