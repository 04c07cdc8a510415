import { createHash } from 'node:crypto'
import { isOutOfBand } from './apps/index.ts'
import { pageHeaders, redirect, type Response } from '../../platform/http/index.ts'
import { hidden, html, Html, pageResponse, phrase } from '../../platform/ui/index.ts'
import type { Services } from '../../platform/services.ts'
import type { WebSession } from '../sessions/index.ts'
import type { Translator } from '../../platform/i18n/index.ts'
import { oauthErrorResponse, type OAuthError } from './oauth_error.ts'
import type { InvalidRequest, ReturnTarget } from './request.ts'

/** Submits the form if scripts run; the page works without them. */
const SEND = "document.getElementById('answer').submit()"
const SEND_HASH = createHash('sha256').update(SEND).digest('base64')
/** The hash is that of the whole text of the element: nothing may stand around the script. */
const SEND_ELEMENT = new Html(`<script>${SEND}</script>`)

/** Redirects to the application with a code, or shows the code if there is no redirect URI. */
export function sendCode(services: Services, translator: Translator, to: ReturnTarget, code: string): Response {
  if (isOutOfBand(to.redirectUri)) return redirect(`/oauth/authorize/native?code=${encodeURIComponent(code)}`)
  return send(services, translator, to, { code })
}

/** Sends an error to the application or, if that is not possible, to the user. */
export function sendError(services: Services, translator: Translator, { refusal, to }: InvalidRequest): Response {
  if (!to || isOutOfBand(to.redirectUri)) return oauthErrorResponse(refusal, to?.state)
  return send(services, translator, to, { error: refusal.error, error_description: refusal.description })
}

function send(
  services: Services,
  translator: Translator,
  to: ReturnTarget,
  parameters: Record<string, string>,
): Response {
  const all = to.state === '' ? parameters : { ...parameters, state: to.state }
  if (to.mode === 'form_post') return formPost(services, translator, to.redirectUri, all)
  const text = Object.entries(all)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
  if (to.mode === 'fragment') return redirect(`${to.redirectUri}#${text}`)
  const separator = !to.redirectUri.includes('?') ? '?' : /[?&]$/.test(to.redirectUri) ? '' : '&'
  return redirect(`${to.redirectUri}${separator}${text}`)
}

/** A form that posts to the application (OAuth 2.0 Form Post Response Mode). */
function formPost(
  services: Services,
  translator: Translator,
  redirectUri: string,
  parameters: Record<string, string>,
): Response {
  const { t } = translator
  const policy = `${pageHeaders(services)['Content-Security-Policy'] ?? ''}; script-src 'sha256-${SEND_HASH}'`
  return pageResponse(services, undefined, {
    title: t('consent.return.title'),
    translator,
    headers: { 'Content-Security-Policy': policy },
    body: html`<h1>${t('consent.return.title')}</h1>
      <p>${t('consent.return.text')}</p>
      <form id="answer" action="${redirectUri}" method="post">
        ${Object.entries(parameters).map(([name, value]) => hidden(name, value))}
        <button type="submit" class="button primary">${t('consent.return.submit')}</button>
      </form>
      ${SEND_ELEMENT}`,
  })
}

/** Shows an error to the user; the application is not informed. */
export function oauthErrorPage(
  services: Services,
  webSession: WebSession,
  { status, error, description }: OAuthError,
): Response {
  const { t } = webSession.translator
  const title = t('consent.refused.title')
  return pageResponse(services, webSession, {
    title,
    status,
    body: html`<h1>${title}</h1>
      <p class="alert" role="alert" lang="en">${description}</p>
      <p class="quiet">${phrase(t('consent.refused.text'), { code: html`<span class="code">${error}</span>` })}</p>`,
  })
}
