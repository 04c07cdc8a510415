import { operation, param, redirect } from '../../platform/http/index.ts'
import { CSRF_PARAMETER } from '../../platform/ui/index.ts'
import { isLocalPath } from '../sessions/index.ts'
import { NEW_TERMS, recordTermsSeen } from './new_terms.ts'
import { requireSignedIn } from './require_signed_in.ts'

/** Continues after the page about new terms of service. */
export const acceptTerms = operation({
  method: 'POST',
  path: NEW_TERMS,
  summary: 'Continue after new terms of service',
  auth: 'public',
  scopes: [],
  page: true,
  params: {
    [CSRF_PARAMETER]: param.string({ optional: true }),
    return_to: param.string({ default: '' }),
  },
  returns: 'redirect',
  handle({ return_to: returnTo, ...form }, context) {
    return requireSignedIn(context, { form }, async (webSession, viewer) => {
      await recordTermsSeen(context.database, viewer.userId)
      return webSession.respond(redirect(isLocalPath(returnTo) ? returnTo : '/settings/profile', 303))
    })
  },
})
