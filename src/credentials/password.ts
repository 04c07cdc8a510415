import { checkPassword, Faults } from '../accounts/index.ts'
import { c, query, type Runner } from '../database/index.ts'
import { Failure } from '../failure.ts'
import type { Id } from '../id.ts'
import { verifyPassword } from '../passwords/index.ts'
import { faultsOf, type FieldErrors } from '../registration/index.ts'
import { failuresOf, noteFailure } from '../sign_in/index.ts'

const setPassword = query(
  'credentials/set_password',
  { user: c.id, password_hash: c.text, reset_token_hash: c.nullable(c.bytes) },
  { changed: c.boolean, events: c.events },
)
const findPassword = query('credentials/find_password', { user: c.id }, { password_hash: c.text })

/** What is wrong with a new password that was given twice, if something is. */
export async function newPasswordErrors(password: string, confirmation: string): Promise<FieldErrors | undefined> {
  if (password !== confirmation) return { password_confirmation: ["doesn't match Password"] }
  return faultsOf(async () => {
    const faults = new Faults()
    checkPassword(password, faults)
    faults.throwIfAny()
  })
}

/**
 * Stores a new password. With the hash of a reset's token only while that still counts.
 * @returns whether it was stored
 */
export async function storePassword(
  database: Runner,
  user: Id,
  passwordHash: string,
  resetTokenHash: Buffer | null = null,
): Promise<boolean> {
  const stored = await database.one(setPassword, {
    user,
    password_hash: passwordHash,
    reset_token_hash: resetTokenHash,
  })
  return stored?.changed === true
}

const MOST_FAILURES_AN_HOUR = 10

/**
 * Whether a text is the user's password.
 * @throws Failure tooManyRequests after ten wrong ones within an hour
 */
export async function isPasswordOf(database: Runner, user: Id, password: string): Promise<boolean> {
  if ((await failuresOf(database, 'current_password', user)) >= MOST_FAILURES_AN_HOUR)
    throw new Failure('tooManyRequests')
  const found = await database.one(findPassword, { user })
  const right = await verifyPassword(found?.password_hash, password.slice(0, 1024))
  if (!right) await noteFailure(database, 'current_password', user)
  return right
}
