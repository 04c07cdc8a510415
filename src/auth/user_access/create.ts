import { randomBytes } from 'node:crypto'
import { ValidationErrors } from '../../accounts/index.ts'
import type { Id } from '../../core/id.ts'
import { c, query, type Database, type Runner } from '../../platform/database/index.ts'
import { enqueue } from '../../platform/jobs/index.ts'
import { hashPassword } from '../../platform/password_hashing/index.ts'
import { sendReset } from '../account_settings/index.ts'
import { assignRole } from '../roles/index.ts'
import {
  activateUser,
  checkEmail,
  checkPassword,
  checkUsername,
  normaliseEmail,
  sendConfirmation,
  translateTaken,
} from '../sign_up/index.ts'

const create = query(
  'auth/user_access/create',
  {
    account: c.nullable(c.id),
    username: c.text,
    email: c.text,
    password_hash: c.text,
    confirmed: c.boolean,
    approved: c.boolean,
    role: c.nullable(c.id),
    moderator: c.nullable(c.id),
  },
  { id: c.id, account_id: c.id, recorded: c.bigint, events: c.events },
)

/** A user whom the staff or the operator creates, already validated. */
export interface NewUser {
  /** A local account without a user that gets one; null: a new account. */
  readonly account: Id | null
  readonly username: string
  /** Normalised. */
  readonly email: string
  readonly passwordHash: string
  /** Whether the address counts as confirmed; otherwise the e-mail for it is sent. */
  readonly confirmed: boolean
  readonly approved: boolean
  readonly role: Id | null
}

/**
 * Creates a user without the checks of a sign-up, with an entry in the audit log.
 * @param moderator null: the operator
 * @returns the id of the account
 * @throws a violation of `accounts_handle` or `users_email` when the name or address is taken
 */
export async function createUser(transaction: Runner, moderator: Id | null, user: NewUser): Promise<Id> {
  const { passwordHash: password_hash, ...rest } = user
  const added = await transaction.one(create, { ...rest, password_hash, moderator })
  if (!added) throw new Error('the user was not stored')
  if (user.confirmed) await activateUser(transaction, added.id)
  else await enqueue(transaction, sendConfirmation, { user: added.id })
  return added.account_id
}

/** The form in which the staff creates a member. */
interface NewMember {
  readonly username: string
  readonly email: string
  /** Empty: the member gets an e-mail for choosing one. */
  readonly password: string
  readonly confirmed: boolean
  readonly role: Id | null
}

const PASSWORD_BYTES = 32

/**
 * Creates a local account with its user for a moderator; sign-ups may be closed, and names
 * reserved.
 * @returns the id of the account
 * @throws ApiError validation, with `details` by field; notAllowed for a role above the moderator's
 */
export async function createMember(database: Database, moderator: Id, member: NewMember): Promise<Id> {
  const username = member.username.trim()
  const email = normaliseEmail(member.email)
  const errors = new ValidationErrors()
  checkUsername(username, false, errors)
  checkEmail(email, errors)
  if (member.password !== '') checkPassword(member.password, errors)
  errors.throwIfAny()
  // Nobody knows a random password: the member chooses another.
  const password = member.password === '' ? randomBytes(PASSWORD_BYTES).toString('base64') : member.password
  const passwordHash = await hashPassword(password)
  const { confirmed, role } = member
  try {
    return await database.transaction(async transaction => {
      const user = { account: null, username, email, passwordHash, confirmed, approved: true, role: null }
      const account = await createUser(transaction, moderator, user)
      if (role !== null) await assignRole(transaction, moderator, account, role)
      if (member.password === '') await enqueue(transaction, sendReset, { email })
      return account
    })
  } catch (error) {
    throw translateTaken(error)
  }
}
