import { applicationAt } from '../oauth/index.ts'
import { field, form, html, pageResponse, phrase, submit } from '../../platform/ui/index.ts'
import type { Response } from '../../platform/http/index.ts'
import type { Services } from '../../platform/services.ts'
import { keyProblem, SCRIPT } from '../security_keys/index.ts'
import type { WebSession } from '../sessions/index.ts'
import { operatorsMessage } from '../sign_up/index.ts'
import { registrationsMode } from '../../platform/settings/index.ts'

/**
 * The sign-in form, shown again after a failure. While an application waits for authorization, it
 * names the application and this server.
 */
export async function signInPage(
  services: Services,
  webSession: WebSession,
  tried?: { email: string; alert: string },
): Promise<Response> {
  const { t } = webSession.translator
  const application = await applicationAt(services, webSession.storedPath())
  const domain = html`<strong>${services.config.localDomain}</strong>`
  const open = registrationsMode(services) !== 'none'
  const body = html`<h1>${t('sign_in.title')}</h1>
    ${application !== undefined && html`<p>${phrase(t('sign_in.application'), { application: html`<strong>${application}</strong>`, domain })}</p>`}
    ${form({ action: '/auth/sign_in', csrfToken: webSession.csrfToken() }, [
      field({
        label: t('field.email'),
        name: 'user[email]',
        type: 'email',
        value: tried?.email,
        autocomplete: 'username',
        required: true,
        autofocus: tried === undefined,
        verbatim: true,
      }),
      field({
        label: t('field.password'),
        name: 'user[password]',
        type: 'password',
        autocomplete: 'current-password',
        required: true,
        autofocus: tried !== undefined,
      }),
      submit(t('sign_in.submit')),
    ])}
    <ul class="links">
      ${open && html`<li><a href="/auth/sign_up">${t('sign_in.create')}</a></li>`}
      <li><a href="/auth/password/new">${t('sign_in.forgotten')}</a></li>
      <li><a href="/auth/confirmation/new">${t('sign_in.unconfirmed')}</a></li>
    </ul>
    ${!open && operatorsMessage(services)}`
  return pageResponse(services, webSession, {
    title: t('sign_in.title'),
    body,
    ...(tried && { notice: { text: tried.alert, kind: 'alert' } }),
  })
}

/** Asks for the second factor: a security key, if there is one, or a code. */
export function secondFactorPage(
  services: Services,
  webSession: WebSession,
  hasKeys: boolean,
  alert?: string,
): Response {
  const { t } = webSession.translator
  const title = t(hasKeys ? 'security_keys.sign_in' : 'sign_in.factor.title')
  const csrfToken = webSession.csrfToken()
  const data = { 'security-key': 'get', options: '/auth/sessions/security_key_options' }
  const key =
    hasKeys &&
    html`${keyProblem(webSession.translator)}
      ${form({ action: '/auth/sign_in', csrfToken, hidden: true, data }, submit(t('security_keys.use')))}
      <h2>${t('security_keys.or_code')}</h2>`
  const body = html`<h1>${title}</h1>
    ${key}
    ${form({ action: '/auth/sign_in', csrfToken }, [
      field({
        label: t('field.code'),
        name: 'user[otp_attempt]',
        autocomplete: 'one-time-code',
        required: true,
        autofocus: !hasKeys,
        verbatim: true,
        hint: t('sign_in.factor.hint'),
      }),
      submit(t('sign_in.submit')),
    ])}
    <ul class="links">
      <li><a href="/auth/sign_in">${t('sign_in.factor.again')}</a></li>
    </ul>`
  return pageResponse(services, webSession, {
    title,
    body,
    ...(hasKeys && { scripts: [SCRIPT] }),
    ...(alert !== undefined && { notice: { text: alert, kind: 'alert' } }),
  })
}
