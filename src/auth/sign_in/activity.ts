import { c, query, type Runner } from '../../platform/database/index.ts'
import type { Request } from '../../platform/http/index.ts'
import type { Id } from '../../core/id.ts'
import { cleanUserAgent } from '../sessions/index.ts'

const addActivity = query(
  'auth/sign_in/add_activity',
  { user: c.id, method: c.text, success: c.boolean, ip: c.inet, user_agent: c.text },
  { suspicious: c.boolean },
)

/** How the user signed in: with the password alone, or with a second factor too. */
export type SignInMethod = 'password' | 'otp' | 'webauthn'

/**
 * Records a sign-in, or a failed second factor, for its user to see.
 * @returns suspicious: from an address that the user has not used; call it before the session
 * starts, which would make the address known
 */
export async function recordActivity(
  runner: Runner,
  request: Request,
  user: Id,
  method: SignInMethod,
  success: boolean,
): Promise<{ suspicious: boolean }> {
  const noted = await runner.one(addActivity, {
    user,
    method,
    success,
    ip: request.address,
    user_agent: cleanUserAgent(request.header('user-agent')),
  })
  return noted ?? { suspicious: false }
}
