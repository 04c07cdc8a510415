import { param, redirect } from '../../platform/http/index.ts'
import { isLocalPath } from '../sessions/index.ts'
import { NEW_TERMS, recordTermsSeen } from './new_terms.ts'
import { signedInForm } from './signed_in_operation.ts'

/** Continues after the page about new terms of service. */
export const acceptTerms = signedInForm({
  method: 'POST',
  path: NEW_TERMS,
  summary: 'Continue after new terms of service',
  params: {
    return_to: param.string({ default: '' }),
  },
  async act({ return_to: returnTo }, context, webSession, viewer) {
    await recordTermsSeen(context.database, viewer.userId)
    return webSession.respond(redirect(isLocalPath(returnTo) ? returnTo : '/settings/profile', 303))
  },
})
