import { assignRole } from '../../auth/roles/index.ts'
import { activateUser, approveSignUp, normaliseEmail, sendConfirmation } from '../../auth/sign_up/index.ts'
import { changeAccountState } from '../../moderation/index.ts'
import { c, query } from '../../platform/database/index.ts'
import { enqueue } from '../../platform/jobs/index.ts'
import { revokeAll } from '../../auth/oauth/revoke_tokens.ts'
import { sendNotice } from '../../platform/mail/messages/index.ts'
import { hashPassword } from '../../platform/password_hashing/index.ts'
import { CliError } from '../cli_error.ts'
import type { CliContext } from '../cli_context.ts'
import { explainDuplicate, UserErrors, findRole, findUser, isTaken, randomPassword } from './user.ts'

export interface ModifyOptions {
  email?: string
  role?: string
  removeRole?: boolean
  confirm?: boolean
  enable?: boolean
  disable?: boolean
  approve?: boolean
  disable2fa?: boolean
  resetPassword?: boolean
}

const modifyUser = query(
  'cli/modify_user',
  {
    user: c.id,
    email: c.nullable(c.text),
    confirm: c.boolean,
    password_hash: c.nullable(c.text),
    drops_second_factor: c.boolean,
  },
  { recorded: c.bigint, dropped_second_factor: c.nullable(c.boolean), events: c.events },
)

/**
 * `accounts modify`, with entries in the audit log. A new password also revokes the user's sessions
 * and tokens, in the same transaction. @throws CliError
 */
export async function modify(context: CliContext, username: string, options: ModifyOptions): Promise<void> {
  const { database } = await context.services()
  const user = await findUser(database, username)
  const { role, removeRole } = options
  if (role !== undefined && removeRole) throw new CliError('Use --role or --remove-role, not both')
  if (options.enable && options.disable) throw new CliError('Use --enable or --disable, not both')
  const roleId = role === undefined ? null : await findRole(database, role)
  const email = options.email === undefined ? null : normaliseEmail(options.email)
  if (email !== null) {
    const errors = new UserErrors()
    errors.addEmail(email)
    if (await isTaken(database, email, user)) errors.add('email', 'taken')
    errors.throwIfAny()
  }
  const password = options.resetPassword ? randomPassword() : undefined
  const passwordHash = password === undefined ? null : await hashPassword(password)
  try {
    await database.transaction(async transaction => {
      const done = await transaction.one(modifyUser, {
        user: user.user_id,
        email,
        confirm: options.confirm === true,
        password_hash: passwordHash,
        drops_second_factor: options.disable2fa === true,
      })
      if (done?.dropped_second_factor === true) await sendNotice(transaction, user.user_id, 'two_factor_disabled')
      if (email !== null && !options.confirm && user.confirmed && user.email !== email)
        await sendNotice(transaction, user.user_id, 'email_changing', { values: { email }, email: user.email })
      if (options.enable || options.disable)
        await changeAccountState(transaction, null, user.id, options.enable ? 'enable' : 'disable')
      if (roleId !== null || removeRole) await assignRole(transaction, null, user.id, roleId)
      if (passwordHash !== null) await revokeAll(transaction, user.user_id)
      if (email !== null && !options.confirm) await enqueue(transaction, sendConfirmation, { user: user.user_id })
      if (options.approve && !user.approved) await approveSignUp(transaction, null, user.id)
      if (!(user.confirmed && user.approved)) await activateUser(transaction, user.user_id)
    })
  } catch (error) {
    throw explainDuplicate(error)
  }
  context.print('OK')
  if (password !== undefined) context.print(`New password: ${password}`)
}
