import { Failure } from '../failure.ts'
import { rateLimitKey } from '../http/client-address.ts'
import type { Services } from '../services.ts'
import { failuresOf, noteFailure } from '../guesses/index.ts'
import { checkLogin, type Login } from './login.ts'

/** As many as the sign-in page allows for one login (api/conventions.md, section 10). */
const MOST_FAILURES_AN_HOUR = 25

/**
 * `checkLogin` for where no throttle counts the requests: who has guessed wrong too often within the hour, for one login or from one
 * address, is refused before the password is looked at.
 * @throws Failure tooManyRequests
 */
export async function checkGuardedLogin(
  services: Services,
  address: string,
  email: string,
  password: string,
): Promise<Login | undefined> {
  const { database, config } = services
  if (!config.rateLimits) return checkLogin(database, email, password)
  const login = email.trim().toLowerCase()
  const source = rateLimitKey(address)
  const [ofLogin, fromSource] = await Promise.all([
    failuresOf(database, 'password_of_login', login),
    failuresOf(database, 'password_from_address', source),
  ])
  if (Math.max(ofLogin, fromSource) >= MOST_FAILURES_AN_HOUR) throw new Failure('tooManyRequests')
  const found = await checkLogin(database, email, password)
  if (!found) {
    await Promise.all([
      noteFailure(database, 'password_of_login', login),
      noteFailure(database, 'password_from_address', source),
    ])
  }
  return found
}
