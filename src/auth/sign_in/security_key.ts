import { ApiError } from '../../core/errors.ts'
import { json, operation } from '../../platform/http/index.ts'
import { startAssertion } from '../security_keys/index.ts'
import { openWebSession } from '../sessions/index.ts'
import { PENDING_MS } from '../two_factor/index.ts'

/** The challenge for a user whose password was right, and who has a security key. */
export const showSecurityKeyOptions = operation({
  method: 'GET',
  path: '/auth/sessions/security_key_options',
  summary: 'Show the challenge for the security key of a pending sign-in',
  auth: 'public',
  scopes: [],
  params: {},
  returns: 'hash',
  async handle(_, context) {
    const webSession = await openWebSession(context)
    const pending = webSession.pending()
    const isPending = pending !== undefined && Date.now() - pending.at <= PENDING_MS
    const options = isPending ? await startAssertion(context, webSession, pending.userId) : undefined
    if (!options) throw new ApiError('unauthorized', { message: "You haven't enabled WebAuthn yet" })
    return webSession.respond(json(options))
  },
})
