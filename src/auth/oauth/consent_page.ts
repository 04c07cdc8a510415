import type { Client } from './apps/index.ts'
import type { Response } from '../../platform/http/index.ts'
import { isScope } from '../../core/scopes.ts'
import type { Viewer } from '../../core/viewer.ts'
import { form, hidden, html, pageResponse, phrase, submit, type Html } from '../../platform/ui/index.ts'
import type { Services } from '../../platform/services.ts'
import type { WebSession } from '../sessions/index.ts'
import type { Translator } from '../../platform/i18n/index.ts'
import type { AuthorizationRequest, RequestParameters } from './request.ts'

/** Asks the user for consent to the application's scopes. */
export function consentPage(
  services: Services,
  webSession: WebSession,
  viewer: Viewer,
  request: AuthorizationRequest,
  parameters: RequestParameters,
): Response {
  const { client, scopes } = request
  const csrfToken = webSession.csrfToken()
  const fields = requestFields(request, parameters)
  const action = '/oauth/authorize'
  const { t } = webSession.translator
  const title = t('consent.title', { name: client.name })
  const account = html`<strong>@${viewer.username}@${services.config.localDomain}</strong>`
  const link = html`<a href="/oauth/authorized_applications">${t('applications.title')}</a>`
  const body = html`<h1>${title}</h1>
    <p>${phrase(t('consent.intro'), { application: applicationName(client), account })}</p>
    <ul class="scopes">
      ${scopes.map(scope => scopeEntry(scope, webSession.translator))}
    </ul>
    ${form({ action, csrfToken }, [fields, submit(t('consent.authorize'))])}
    ${form({ action, method: 'delete', csrfToken }, [fields, submit(t('consent.deny'), 'plain')])}
    <p class="hint">${phrase(t('consent.withdraw'), { link })}</p>
    ${form({ action: '/auth/sign_out', method: 'delete', csrfToken }, [
      hidden('continue', 'true'),
      submit(t('consent.other'), 'plain'),
    ])}`
  return pageResponse(services, webSession, { title, body })
}

const applicationName = ({ name, website }: Client): Html =>
  website === null
    ? html`<strong>${name}</strong>`
    : html`<a href="${website}" rel="noopener noreferrer nofollow"><strong>${name}</strong></a>`

/** Describes a scope to the user. */
const scopeEntry = (scope: string, { t }: Translator): Html =>
  html`<li>${isScope(scope) ? t(`scope.${scope}`) : scope} <span class="quiet code">${scope}</span></li>`

function requestFields(request: AuthorizationRequest, parameters: RequestParameters): Html[] {
  const fields = {
    client_id: request.client.client_id,
    redirect_uri: request.to.redirectUri,
    state: request.to.state,
    response_type: 'code',
    response_mode: request.to.mode,
    scope: request.scopes.join(' '),
    code_challenge: request.codeChallenge ?? '',
    code_challenge_method: parameters.code_challenge_method ?? '',
  }
  return Object.entries(fields).map(([name, value]) => hidden(name, value))
}
