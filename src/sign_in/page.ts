import { field, form, html, pageAnswer, submit } from '../pages/index.ts'
import type { Answer } from '../http/index.ts'
import type { Services } from '../services.ts'
import type { Visit } from '../sessions/index.ts'

/** The sign-in form, again after a failed try. */
export function signInPage(services: Services, visit: Visit, tried?: { email: string; alert: string }): Answer {
  const open = services.settings.get('registrations_mode') !== 'none'
  const body = html`<h1>Sign in</h1>
    ${form({ action: '/auth/sign_in', csrfToken: visit.csrfToken() }, [
      field({
        label: 'E-mail address',
        name: 'user[email]',
        type: 'email',
        value: tried?.email,
        autocomplete: 'username',
        required: true,
        autofocus: tried === undefined,
        verbatim: true,
      }),
      field({
        label: 'Password',
        name: 'user[password]',
        type: 'password',
        autocomplete: 'current-password',
        required: true,
        autofocus: tried !== undefined,
      }),
      submit('Sign in'),
    ])}
    <ul class="links">
      ${open && html`<li><a href="/auth/sign_up">Create an account</a></li>`}
      <li><a href="/auth/password/new">Forgot your password?</a></li>
      <li><a href="/auth/confirmation/new">No confirmation e-mail?</a></li>
    </ul>`
  return pageAnswer(services, visit, {
    title: 'Sign in',
    body,
    ...(tried && { notice: { text: tried.alert, kind: 'alert' } }),
  })
}

/** Asks for the code of the second factor. */
export function secondFactorPage(services: Services, visit: Visit, alert?: string): Answer {
  const body = html`<h1>Two-factor authentication</h1>
    ${form({ action: '/auth/sign_in', csrfToken: visit.csrfToken() }, [
      field({
        label: 'Code',
        name: 'user[otp_attempt]',
        autocomplete: 'one-time-code',
        required: true,
        autofocus: true,
        verbatim: true,
        hint: 'The code that your authenticator app shows, or one of your recovery codes.',
      }),
      submit('Sign in'),
    ])}
    <ul class="links">
      <li><a href="/auth/sign_in">Start again</a></li>
    </ul>`
  return pageAnswer(services, visit, {
    title: 'Two-factor authentication',
    body,
    ...(alert !== undefined && { notice: { text: alert, kind: 'alert' } }),
  })
}
