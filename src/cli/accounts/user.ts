import { randomBytes } from 'node:crypto'
import { c, query, violatedConstraint, type Database } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { CliError } from '../cli_error.ts'

const findAccount = query(
  'cli/find_account',
  { username: c.text },
  {
    id: c.id,
    username: c.text,
    user_id: c.nullable(c.id),
    email: c.nullable(c.text),
    suspended: c.boolean,
    confirmed: c.boolean,
    approved: c.boolean,
    statuses_count: c.integer,
  },
)
const usernameOfEmail = query('cli/username_of_email', { email: c.text }, { username: c.text })
const findRemote = query('cli/find_remote', { username: c.text, domain: c.text }, { id: c.id })
const roleByName = query('cli/role_by_name', { name: c.text }, { id: c.id, permissions: c.bigint })

/** A local account; `user_id` is null if it has no user. */
export interface LocalAccount {
  id: Id
  username: string
  user_id: Id | null
  email: string | null
  suspended: boolean
  confirmed: boolean
  approved: boolean
  statuses_count: number
}

export interface LocalUser extends LocalAccount {
  user_id: Id
}

const EMAIL = /^[^\s@<>(),;:"\\[\]]+@[^\s@<>(),;:"\\[\]]+$/
const EMAIL_LENGTH = 320
const USERNAME = /^[a-z0-9_]+$/i
const USERNAME_LENGTH = 30
const PASSWORD_LENGTH = { min: 8, max: 72 }
const PASSWORD_BYTES = 16

/** Removes the @ of a handle from an argument. */
export const bareName = (text: string): string => text.trim().replace(/^@/, '')

export const findLocal = (database: Database, username: string): Promise<LocalAccount | undefined> =>
  database.one(findAccount, { username: bareName(username) })

/** @throws CliError if there is no such account, or it has no user */
export async function findUser(database: Database, username: string): Promise<LocalUser> {
  const found = await findLocal(database, username)
  if (!found || found.user_id === null) throw new CliError('No user with such username')
  return { ...found, user_id: found.user_id }
}

/** @throws CliError */
export async function findUserByEmail(database: Database, email: string): Promise<LocalUser> {
  const found = await database.one(usernameOfEmail, { email })
  if (!found) throw new CliError('No user with such email')
  return findUser(database, found.username)
}

/** A local (user) or remote (user@domain) account. @throws CliError */
export async function findTarget(database: Database, acct: string): Promise<Id> {
  const [username = '', domain] = bareName(acct).split('@')
  const found =
    domain === undefined ? await findLocal(database, username) : await database.one(findRemote, { username, domain })
  if (!found) throw new CliError('No such account')
  return found.id
}

/** The id of the role with exactly this name. @throws CliError */
export async function findRole(database: Database, name: string): Promise<Id> {
  const found = name === '' ? undefined : await database.one(roleByName, { name })
  if (!found) throw new CliError('Cannot find user role with that name')
  return found.id
}

/** 32 hexadecimal digits. */
export const randomPassword = (): string => randomBytes(PASSWORD_BYTES).toString('hex')

/**
 * The validation errors of a user in the form of Mastodon's command: each attribute with its kinds
 * of error.
 */
export class UserErrors {
  readonly #lines: string[] = []

  add(attribute: string, fault: string): void {
    this.#lines.push(`Failure/Error: ${attribute}\n    ${fault}`)
  }
  addUsername(username: string): void {
    if (username === '') this.add('account.username', 'blank')
    else if (!USERNAME.test(username)) this.add('account.username', 'invalid')
    else if (username.length > USERNAME_LENGTH) this.add('account.username', 'too_long')
  }
  addEmail(email: string): void {
    if (email === '') this.add('email', 'blank')
    else if (!EMAIL.test(email) || email.length > EMAIL_LENGTH) this.add('email', 'invalid')
  }
  addPassword(password: string): void {
    if (password.length < PASSWORD_LENGTH.min) this.add('password', 'too_short')
    else if (Buffer.byteLength(password) > PASSWORD_LENGTH.max) this.add('password', 'too_long')
  }
  /** @throws CliError if there are any */
  check(): void {
    if (this.#lines.length > 0) throw new CliError(this.#lines.join('\n'))
  }
}

/** Another user may take the name or address between the check and the write. */
export function explainDuplicate(error: unknown): unknown {
  const attribute = { accounts_handle: 'account.username', users_email: 'email' }[violatedConstraint(error) ?? '']
  if (attribute === undefined) return error
  return new CliError(`Failure/Error: ${attribute}\n    taken`, { cause: error })
}

/** Whether another user has the address. */
export async function isTaken(database: Database, email: string, user?: LocalUser): Promise<boolean> {
  const owner = await database.one(usernameOfEmail, { email })
  return owner !== undefined && owner.username !== user?.username
}
