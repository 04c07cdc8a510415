import { c, query, type Runner } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { verifyPassword } from '../../platform/password_hashing/index.ts'

const findLogin = query(
  'auth/sign_in/find_login',
  { email: c.text },
  { id: c.id, password_hash: c.text, confirmed: c.boolean, second_factor: c.boolean, memorial: c.boolean },
)

/** A user whose password was correct. */
export interface Login {
  readonly userId: Id
  readonly confirmed: boolean
  /** Whether a second factor is required. */
  readonly secondFactor: boolean
}

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
  return { userId: found.id, confirmed: found.confirmed, secondFactor: found.second_factor }
}
