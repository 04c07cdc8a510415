import { c, query, type Runner } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { enqueue, job, memberOf } from '../../platform/jobs/index.ts'
import { sendFromJob } from '../../platform/mail/index.ts'
import { composeEmail, type Recipient } from '../../platform/mail/messages/index.ts'
import type { Services } from '../../platform/services.ts'

const findRecipient = query(
  'accounts/deletion/recipient',
  { account: c.id },
  { email: c.text, locale: c.nullable(c.text), username: c.text },
)

function parseRecipient(payload: unknown): Recipient {
  const [email, username, locale] = ['email', 'username', 'locale'].map(name => memberOf(payload, name))
  if (typeof email !== 'string' || typeof username !== 'string') throw new Error('the payload has no recipient')
  return { email, username, locale: typeof locale === 'string' ? locale : null }
}

/**
 * The last e-mail to a user, who may be deleted by the time it is sent: the payload contains the
 * recipient.
 */
export const sendDeletionEmail = job<Recipient, Services>(
  'account_removal.farewell',
  parseRecipient,
  async (recipient, services) => {
    await sendFromJob(services, composeEmail(services, 'account_deleted', recipient, services.config.publicUrl))
  },
)

/** Enqueues the e-mail about an account's deletion, in the transaction that requests it. */
export async function notifyOfDeletion(transaction: Runner, account: Id): Promise<void> {
  const recipient = await transaction.one(findRecipient, { account })
  if (recipient) await enqueue(transaction, sendDeletionEmail, recipient)
}
