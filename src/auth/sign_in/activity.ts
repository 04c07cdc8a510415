import { c, query, type Runner } from '../../platform/database/index.ts'
import type { Request } from '../../platform/http/index.ts'
import type { Id } from '../../core/id.ts'
import { cleanUserAgent } from '../sessions/index.ts'

const addActivity = query(
  'auth/sign_in/add_activity',
  { user: c.id, method: c.text, success: c.boolean, ip: c.inet, user_agent: c.text },
  { suspicious: c.boolean },
)

/** What somebody has signed in with: the password alone, or a second factor too. */
export type SignInMethod = 'password' | 'otp'

/**
 * Notes a sign-in, or that it failed at the second factor, where its user can see it.
 * @returns suspicious: from a place that the user has not been at; to be asked before the session is started, whose address would be known
 */
export async function noteActivity(
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
