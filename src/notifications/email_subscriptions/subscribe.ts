import { ValidationErrors, type AccountFragment } from '../../accounts/index.ts'
import { checkEmail, checkEmailBlocks, normaliseEmail } from '../../auth/sign_up/index.ts'
import { preferredLanguage } from '../../core/languages/index.ts'
import { c, query } from '../../platform/database/index.ts'
import type { Context } from '../../platform/http/index.ts'
import { enqueue } from '../../platform/jobs/index.ts'
import { sendConfirmation } from './confirmation_email.ts'

const add = query(
  'notifications/email_subscriptions/add',
  { account: c.id, email: c.text, locale: c.nullable(c.text), ip: c.inet },
  { id: c.id, own: c.boolean },
)

/**
 * Stores an address for an account that offers subscriptions, and sends it an e-mail: the link that
 * confirms it, or, if it is subscribed already, a message that says so. The answer is the same for
 * both, unless the same network address asked within the last day.
 * @returns whether this is such a repetition
 * @throws ApiError validation with `details` if the address is invalid or blocked
 */
export async function subscribe(context: Context, account: AccountFragment, address: string): Promise<boolean> {
  const { database, request } = context
  const email = normaliseEmail(address)
  const errors = new ValidationErrors()
  const domain = checkEmail(email, errors)
  const facts = domain === undefined ? undefined : await checkEmailBlocks(context, email, domain, null)
  if (facts?.unreachable) errors.add('email', 'E-mail address', 'ERR_UNREACHABLE', 'does not seem to exist')
  if (facts?.blocked) errors.add('email', 'E-mail address', 'ERR_BLOCKED', 'uses a disallowed e-mail provider')
  errors.throwIfAny()
  const locale = preferredLanguage(request.header('accept-language')) ?? null
  return database.transaction(async transaction => {
    const row = await transaction.one(add, { account: account.id, email, locale, ip: request.address })
    if (!row) throw new Error('the subscription was not stored')
    await enqueue(transaction, sendConfirmation, { subscription: row.id }, { key: `email_subscription:${row.id}` })
    return row.own
  })
}
