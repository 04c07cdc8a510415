import { limitAttempts } from '../../platform/attempt_limits/index.ts'
import { ApiError } from '../../core/errors.ts'
import { rateLimitKey } from '../../platform/http/client_address.ts'
import type { Services } from '../../platform/services.ts'
import { checkLogin, type Login } from './login.ts'

/** The limit of the sign-in page for one login. */
const MAX_FAILURES_PER_HOUR = 25

/**
 * `checkLogin` for endpoints without rate limit: after too many failures within the hour, for one
 * login or from one address, the password is not checked at all.
 * @throws ApiError tooManyRequests
 */
export async function checkGuardedLogin(
  services: Services,
  address: string,
  email: string,
  password: string,
): Promise<Login | undefined> {
  const { database, config } = services
  if (!config.rateLimits) return checkLogin(database, email, password)
  const attempt = await limitAttempts(
    database,
    [
      { name: 'password_of_login', key: email.trim().toLowerCase(), max: MAX_FAILURES_PER_HOUR },
      { name: 'password_from_address', key: rateLimitKey(address), max: MAX_FAILURES_PER_HOUR },
    ],
    () => checkLogin(database, email, password),
  )
  if (attempt.outcome === 'refused') throw new ApiError('tooManyRequests')
  return attempt.outcome === 'success' ? attempt.value : undefined
}
