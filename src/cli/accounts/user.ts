import { randomBytes } from 'node:crypto'
import { c, query, violatedConstraint, type Database } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { storedDomain } from '../../core/parse_url.ts'
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
const findUsernameByEmail = query('cli/find_username_by_email', { email: c.text }, { username: c.text })
const findRemote = query('cli/find_remote_account', { username: c.text, domain: c.text }, { id: c.id })
const findRoleByName = query('cli/find_role', { name: c.text }, { id: c.id, permissions: c.bigint })

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
const MAX_EMAIL_CHARACTERS = 320
const USERNAME = /^[a-z0-9_]+$/i
const MAX_USERNAME_CHARACTERS = 30
const PASSWORD_LENGTH = { min: 8, max: 72 }
const PASSWORD_BYTES = 16

/** Removes the leading @ of a handle. */
export const stripAt = (text: string): string => text.trim().replace(/^@/, '')

export const findLocal = (database: Database, username: string): Promise<LocalAccount | undefined> =>
  database.one(findAccount, { username: stripAt(username) })

/** @throws CliError if there is no such account, or it has no user */
export async function findUser(database: Database, username: string): Promise<LocalUser> {
  const account = await findLocal(database, username)
  if (!account || account.user_id === null) throw new CliError('No user with such username')
  return { ...account, user_id: account.user_id }
}

/** @throws CliError */
export async function findUserByEmail(database: Database, email: string): Promise<LocalUser> {
  const row = await database.one(findUsernameByEmail, { email })
  if (!row) throw new CliError('No user with such email')
  return findUser(database, row.username)
}

/** A local (user) or remote (user@domain) account. @throws CliError */
export async function findTarget(database: Database, acct: string): Promise<Id> {
  const [username = '', domain] = stripAt(acct).split('@')
  const account =
    domain === undefined
      ? await findLocal(database, username)
      : await database.one(findRemote, { username, domain: storedDomain(domain) })
  if (!account) throw new CliError('No such account')
  return account.id
}

/** The id of the role with exactly this name. @throws CliError */
export async function findRole(database: Database, name: string): Promise<Id> {
  const role = name === '' ? undefined : await database.one(findRoleByName, { name })
  if (!role) throw new CliError('Cannot find user role with that name')
  return role.id
}

/** 32 hexadecimal digits. */
export const randomPassword = (): string => randomBytes(PASSWORD_BYTES).toString('hex')

/**
 * The validation errors of a user in the form of Mastodon's command: each attribute with its kinds
 * of error.
 */
export class UserErrors {
  readonly #lines: string[] = []

  add(attribute: string, error: string): void {
    this.#lines.push(`Failure/Error: ${attribute}\n    ${error}`)
  }
  addUsername(username: string): void {
    if (username === '') this.add('account.username', 'blank')
    else if (!USERNAME.test(username)) this.add('account.username', 'invalid')
    else if (username.length > MAX_USERNAME_CHARACTERS) this.add('account.username', 'too_long')
  }
  addEmail(email: string): void {
    if (email === '') this.add('email', 'blank')
    else if (!EMAIL.test(email) || email.length > MAX_EMAIL_CHARACTERS) this.add('email', 'invalid')
  }
  addPassword(password: string): void {
    if (password.length < PASSWORD_LENGTH.min) this.add('password', 'too_short')
    else if (Buffer.byteLength(password) > PASSWORD_LENGTH.max) this.add('password', 'too_long')
  }
  /** @throws CliError if there are errors */
  throwIfAny(): void {
    if (this.#lines.length > 0) throw new CliError(this.#lines.join('\n'))
  }
}

/** Explains a duplicate: another user may take the name or address between check and write. */
export function explainDuplicate(error: unknown): unknown {
  const attribute = { accounts_handle: 'account.username', users_email: 'email' }[violatedConstraint(error) ?? '']
  if (attribute === undefined) return error
  return new CliError(`Failure/Error: ${attribute}\n    taken`, { cause: error })
}

/** Whether another user has the address. */
export async function isTaken(database: Database, email: string, user?: LocalUser): Promise<boolean> {
  const owner = await database.one(findUsernameByEmail, { email })
  return owner !== undefined && owner.username !== user?.username
}
