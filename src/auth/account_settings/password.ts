import { limitAttempts } from '../../platform/attempt_limits/index.ts'
import { c, query, type Database } from '../../platform/database/index.ts'
import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import { verifyPassword } from '../../platform/password_hashing/index.ts'

const findPassword = query('auth/account_settings/find_password', { user: c.id }, { password_hash: c.text })

const MAX_FAILURES_PER_HOUR = 10

/**
 * Whether a text is the user's password.
 * @throws ApiError tooManyRequests after ten failures within an hour
 */
export async function isPasswordOf(database: Database, user: Id, password: string): Promise<boolean> {
  const limit = { name: 'current_password', key: user, max: MAX_FAILURES_PER_HOUR } as const
  const attempt = await limitAttempts(database, [limit], async () => {
    const found = await database.one(findPassword, { user })
    return (await verifyPassword(found?.password_hash, password.slice(0, 1024))) ? true : undefined
  })
  if (attempt.outcome === 'refused') throw new ApiError('tooManyRequests')
  return attempt.outcome === 'success'
}
