import { field, form, html, pageAnswer, submit } from '../../platform/ui/index.ts'
import type { Response } from '../../platform/http/index.ts'
import type { Services } from '../../platform/services.ts'
import type { WebSession } from '../sessions/index.ts'
import { registrationsMode } from '../../platform/settings/index.ts'

/** The sign-in form, shown again after a failure. */
export function signInPage(services: Services, visit: WebSession, tried?: { email: string; alert: string }): Response {
  const { t: say } = visit.speaker
  const open = registrationsMode(services) !== 'none'
  const body = html`<h1>${say('sign_in.title')}</h1>
    ${form({ action: '/auth/sign_in', csrfToken: visit.csrfToken() }, [
      field({
        label: say('field.email'),
        name: 'user[email]',
        type: 'email',
        value: tried?.email,
        autocomplete: 'username',
        required: true,
        autofocus: tried === undefined,
        verbatim: true,
      }),
      field({
        label: say('field.password'),
        name: 'user[password]',
        type: 'password',
        autocomplete: 'current-password',
        required: true,
        autofocus: tried !== undefined,
      }),
      submit(say('sign_in.submit')),
    ])}
    <ul class="links">
      ${open && html`<li><a href="/auth/sign_up">${say('sign_in.create')}</a></li>`}
      <li><a href="/auth/password/new">${say('sign_in.forgotten')}</a></li>
      <li><a href="/auth/confirmation/new">${say('sign_in.unconfirmed')}</a></li>
    </ul>`
  return pageAnswer(services, visit, {
    title: say('sign_in.title'),
    body,
    ...(tried && { notice: { text: tried.alert, kind: 'alert' } }),
  })
}

/** Asks for the code of the second factor. */
export function secondFactorPage(services: Services, visit: WebSession, alert?: string): Response {
  const { t: say } = visit.speaker
  const body = html`<h1>${say('sign_in.factor.title')}</h1>
    ${form({ action: '/auth/sign_in', csrfToken: visit.csrfToken() }, [
      field({
        label: say('field.code'),
        name: 'user[otp_attempt]',
        autocomplete: 'one-time-code',
        required: true,
        autofocus: true,
        verbatim: true,
        hint: say('sign_in.factor.hint'),
      }),
      submit(say('sign_in.submit')),
    ])}
    <ul class="links">
      <li><a href="/auth/sign_in">${say('sign_in.factor.again')}</a></li>
    </ul>`
  return pageAnswer(services, visit, {
    title: say('sign_in.factor.title'),
    body,
    ...(alert !== undefined && { notice: { text: alert, kind: 'alert' } }),
  })
}
