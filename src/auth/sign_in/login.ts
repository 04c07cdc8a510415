import { c, query, type Runner } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { hashSecret } from '../../core/secret.ts'
import { lockUser } from '../sessions/index.ts'
import { verifyPassword } from '../../platform/password_hashing/index.ts'

const findLogin = query(
  'auth/sign_in/find_login',
  { email: c.text },
  { id: c.id, password_hash: c.text, confirmed: c.boolean, second_factor: c.boolean, memorial: c.boolean },
)

const findStanding = query('auth/sign_in/find_standing', { user: c.id }, { password_hash: c.text, memorial: c.boolean })

/** A user whose password was correct. */
export interface Login {
  readonly userId: Id
  /** Names the password that was correct: a part of the digest of its salted, slow hash. */
  readonly passwordDigest: string
  readonly confirmed: boolean
  /** Whether a second factor is required. */
  readonly secondFactor: boolean
}

/** The first 16 bytes suffice to tell one password from another, and are short in a cookie. */
const digestOf = (passwordHash: string): string => hashSecret(passwordHash).subarray(0, 16).toString('base64url')

/** The maximum length of a password: hashing a longer text would only waste time. */
const MAX_PASSWORD_BYTES = 1024

/**
 * The user with this address and password, or undefined. Takes as long for unknown addresses.
 * Memorial accounts cannot sign in.
 * @throws ApiError unavailable when too many are signing in
 */
export async function checkLogin(database: Runner, email: string, password: string): Promise<Login | undefined> {
  const found = await database.one(findLogin, { email: email.trim().toLowerCase() })
  const tooLong = Buffer.byteLength(password) > MAX_PASSWORD_BYTES
  const right = await verifyPassword(found?.password_hash, tooLong ? '' : password)
  if (!found || !right || found.memorial) return undefined
  const passwordDigest = digestOf(found.password_hash)
  return { userId: found.id, passwordDigest, confirmed: found.confirmed, secondFactor: found.second_factor }
}

/**
 * Locks the user of a login before a transaction gives access; returns whether the password is
 * still the one that was checked, and was not reset meanwhile.
 */
export async function holdLogin(
  transaction: Runner,
  { userId, passwordDigest }: Pick<Login, 'userId' | 'passwordDigest'>,
): Promise<boolean> {
  await lockUser(transaction, userId)
  const standing = await transaction.one(findStanding, { user: userId })
  return standing !== undefined && !standing.memorial && digestOf(standing.password_hash) === passwordDigest
}
