import { param, redirect } from '../../platform/http/index.ts'
import { isLocalPath } from '../sessions/index.ts'
import { passwordConfirmationPage } from './password_confirmation_page.ts'
import { signedInForm } from './signed_in_operation.ts'
import { isPasswordOf } from './password.ts'

const text = param.string({ default: '' })

/** Confirms the password. The confirmation is valid for an hour, in this browser. */
export const confirmPassword = signedInForm({
  method: 'POST',
  path: '/auth/challenge',
  summary: 'Confirm the password again',
  params: {
    form_challenge: param.object({ current_password: text, return_to: text }, { missing: 400 }),
  },
  async act({ form_challenge: { current_password: password, return_to: returnTo } }, context, webSession, viewer) {
    const path = isLocalPath(returnTo) ? returnTo : '/auth/edit'
    if (!(await isPasswordOf(context.database, viewer.userId, password)))
      return passwordConfirmationPage(context, webSession, path, webSession.translator.t('challenge.wrong'))
    webSession.confirmPassword()
    return webSession.respond(redirect(path))
  },
})
