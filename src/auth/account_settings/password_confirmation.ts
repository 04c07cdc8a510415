import { operation, param, redirect } from '../../platform/http/index.ts'
import { CSRF_PARAMETER } from '../../platform/ui/index.ts'
import { isLocalPath } from '../sessions/index.ts'
import { passwordConfirmationPage } from './password_confirmation_page.ts'
import { requireSignedIn } from './require_signed_in.ts'
import { isPasswordOf } from './password.ts'

const text = param.string({ default: '' })

/** Confirms the password. The confirmation is valid for an hour, in this browser. */
export const confirmPassword = operation({
  method: 'POST',
  path: '/auth/challenge',
  summary: 'Confirm the password again',
  auth: 'public',
  scopes: [],
  page: true,
  params: {
    [CSRF_PARAMETER]: param.string({ optional: true }),
    form_challenge: param.object({ current_password: text, return_to: text }, { missing: 400 }),
  },
  returns: 'redirect',
  handle({ form_challenge: { current_password: password, return_to: returnTo }, ...form }, context) {
    return requireSignedIn(context, { form }, async (webSession, viewer) => {
      const path = isLocalPath(returnTo) ? returnTo : '/auth/edit'
      if (!(await isPasswordOf(context.database, viewer.userId, password)))
        return passwordConfirmationPage(context, webSession, path, webSession.translator.t('challenge.wrong'))
      webSession.confirmPassword()
      return webSession.respond(redirect(path))
    })
  },
})
