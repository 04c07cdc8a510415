import { c, query, type Runner } from '../database/index.ts'
import { Failure } from '../failure.ts'
import { failuresOf, noteFailure } from '../guesses/index.ts'
import type { Id } from '../id.ts'
import { verifyPassword } from '../passwords/index.ts'

const findPassword = query('account_pages/find_password', { user: c.id }, { password_hash: c.text })

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
