import { removeAccount } from '../../accounts/deletion/index.ts'
import { normaliseEmail } from '../../auth/sign_up/index.ts'
import { createUser } from '../../auth/user_access/index.ts'
import { hashPassword } from '../../platform/password_hashing/index.ts'
import type { Services } from '../../platform/services.ts'
import { logOperatorAction } from '../log_operator_action.ts'
import type { CliContext } from '../cli_context.ts'
import {
  stripAt,
  explainDuplicate,
  UserErrors,
  findLocal,
  findRole,
  isTaken,
  randomPassword,
  type LocalAccount,
} from './user.ts'

export interface CreateOptions {
  email: string
  password?: string
  confirmed?: boolean
  approve?: boolean
  role?: string
  reattach?: boolean
  force?: boolean
}

/** Frees the username for a new user, by deleting an existing user with the account. */
async function freeAccount(services: Services, account: LocalAccount): Promise<LocalAccount | undefined> {
  if (account.user_id === null) return account
  await logOperatorAction(services.database, 'destroy', { type: 'Account', id: account.id, name: account.username })
  await removeAccount(services, { account: account.id, freesName: true })
  return undefined
}

/**
 * `accounts create`: skips the checks of a sign-up (reserved names, closed registrations). While
 * sign-ups need approval, so does this one, unless with `--approve`.
 * @throws CliError
 */
export async function create(context: CliContext, text: string, options: CreateOptions): Promise<void> {
  const services = await context.services()
  const { database, settings } = services
  const username = stripAt(text)
  const email = normaliseEmail(options.email)
  const role = options.role === undefined ? null : await findRole(database, options.role)
  let account = await findLocal(database, username)
  if (account && options.reattach && account.user_id !== null && !options.force) {
    context.print('The chosen username is currently in use')
    context.print('Use --force to reattach it anyway and delete the other user')
    return
  }
  const errors = new UserErrors()
  errors.addUsername(username)
  if (account && !options.reattach) errors.add('account.username', 'taken')
  errors.addEmail(email)
  // The user that is about to be deleted may have the same address.
  const replacedEmail = options.reattach && options.force ? account?.email?.toLowerCase() : undefined
  if (email !== replacedEmail && (await isTaken(database, email))) errors.add('email', 'taken')
  if (options.password !== undefined) errors.addPassword(options.password)
  errors.throwIfAny()

  account = account && (await freeAccount(services, account))
  const password = options.password ?? randomPassword()
  const hash = await hashPassword(password)
  try {
    await database.transaction(transaction =>
      createUser(transaction, null, {
        account: account?.id ?? null,
        username,
        email,
        passwordHash: hash,
        confirmed: options.confirmed === true,
        approved: options.approve === true || settings.get('registrations_mode') !== 'approved',
        role,
      }),
    )
  } catch (error) {
    throw explainDuplicate(error)
  }
  context.print('OK')
  if (options.password === undefined) context.print(`New password: ${password}`)
}
