import { c, query, type Runner } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { enqueue, job, memberOf } from '../../platform/jobs/index.ts'
import { composeEmail, type Recipient } from '../../platform/mail/messages/index.ts'
import type { Services } from '../../platform/services.ts'

const findRecipient = query(
  'accounts/deletion/recipient',
  { account: c.id },
  { email: c.text, locale: c.nullable(c.text), username: c.text },
)

function parseRecipient(payload: unknown): Recipient {
  const [email, username, locale] = ['email', 'username', 'locale'].map(name => memberOf(payload, name))
  if (typeof email !== 'string' || typeof username !== 'string') throw new Error('the payload names nobody')
  return { email, username, locale: typeof locale === 'string' ? locale : null }
}

/** The last letter to somebody whose user may be gone by the time it is sent: it carries its recipient along. */
export const sendDeletionEmail = job<Recipient, Services>(
  'account_removal.farewell',
  parseRecipient,
  async (recipient, services) => {
    await services.mail.send(composeEmail(services, 'account_deleted', recipient, services.config.publicUrl))
  },
)

/** Writes to the user of an account, in the transaction that asks for its removal, that it goes. */
export async function notifyOfDeletion(transaction: Runner, account: Id): Promise<void> {
  const recipient = await transaction.one(findRecipient, { account })
  if (recipient) await enqueue(transaction, sendDeletionEmail, recipient)
}
