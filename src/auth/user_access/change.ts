import { randomBytes } from 'node:crypto'
import { ApiError, fieldErrors } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { c, query, violatedConstraint, type Database, type Row, type Runner } from '../../platform/database/index.ts'
import { enqueue } from '../../platform/jobs/index.ts'
import { sendNotice } from '../../platform/mail/messages/index.ts'
import { hashPassword } from '../../platform/password_hashing/index.ts'
import { sendReset } from '../account_settings/index.ts'
import { revokeAll } from '../oauth/index.ts'
import { activateUser, isEmail, normaliseEmail, sendConfirmation } from '../sign_up/index.ts'

const find = query(
  'auth/user_access/find',
  { moderator: c.nullable(c.id), account: c.id, email: c.nullable(c.text) },
  {
    id: c.id,
    email: c.text,
    confirmed: c.boolean,
    approved: c.boolean,
    has_second_factor: c.boolean,
    outranks: c.boolean,
    taken: c.boolean,
  },
)
const store = query(
  'auth/user_access/change',
  {
    moderator: c.nullable(c.id),
    user: c.id,
    action: c.text,
    email: c.nullable(c.text),
    password_hash: c.nullable(c.text),
  },
  { events: c.events },
)

/**
 * What moderators change of a login.
 * - change_email: the new address has to be confirmed
 * - confirm: the address, or the new one, counts as confirmed
 * - resend: sends the confirmation e-mail again
 * - reset_password: the password no longer works, everything is signed out, and the user gets the
 *   e-mail for choosing a new one
 * - disable_2fa: a code is no longer needed to sign in
 */
type UserAccessChange =
  | { readonly action: 'change_email'; readonly email: string }
  | { readonly action: 'confirm' | 'resend' | 'reset_password' | 'disable_2fa' }

const PASSWORD_BYTES = 32

/** Notifies the owner, at the present address, of changes that may hand the account to somebody. */
async function notifyOwner(
  runner: Runner,
  user: Row<typeof find.columns>,
  action: UserAccessChange['action'],
  email: string | null,
): Promise<void> {
  if (action === 'disable_2fa' && user.has_second_factor) await sendNotice(runner, user.id, 'two_factor_disabled')
  if (action === 'change_email' && email !== null && user.confirmed && email !== user.email)
    await sendNotice(runner, user.id, 'email_changing', { values: { email }, email: user.email })
}

/**
 * Changes the login of an account's user, with an entry in the audit log.
 * @param moderator null: the operator; the caller checks the permission manage_user_access
 * @throws ApiError notFound without a user; notAllowed when the moderator's role is not above the
 * user's; validation, with `details` by field
 */
export async function changeUserAccess(
  database: Database,
  moderator: Id | null,
  account: Id,
  change: UserAccessChange,
): Promise<void> {
  const { action } = change
  const email = change.action === 'change_email' ? checkEmail(change.email) : null
  // Nobody knows it: it only replaces the old one.
  const hash = action === 'reset_password' ? await hashPassword(randomBytes(PASSWORD_BYTES).toString('base64')) : null
  try {
    await database.transaction(async transaction => {
      const user = await transaction.one(find, { moderator, account, email })
      if (!user) throw new ApiError('notFound')
      if (!user.outranks) throw new ApiError('notAllowed')
      if (user.taken) throw taken()
      await transaction.run(store, { moderator, user: user.id, action, email, password_hash: hash })
      await notifyOwner(transaction, user, action, email)
      if (action === 'change_email' || action === 'resend')
        await enqueue(transaction, sendConfirmation, { user: user.id })
      if (action === 'confirm' && !user.confirmed && user.approved) await activateUser(transaction, user.id)
      if (action !== 'reset_password') return
      await revokeAll(transaction, user.id)
      await enqueue(transaction, sendReset, { email: user.email })
    })
  } catch (error) {
    // Somebody took the unconfirmed address meanwhile.
    throw violatedConstraint(error) === 'users_email' ? taken() : error
  }
}

const taken = (): ApiError => fieldErrors({ field: 'email', code: 'ERR_TAKEN', message: 'has already been taken' })

function checkEmail(text: string): string {
  const email = normaliseEmail(text)
  if (!isEmail(email)) throw fieldErrors({ field: 'email', code: 'ERR_INVALID', message: 'is invalid' })
  return email
}
