import { createHash } from 'node:crypto'
import { isOutOfBand } from '../apps/index.ts'
import { PAGE_HEADERS, redirect, type Answer } from '../http/index.ts'
import { hidden, html, Html, pageAnswer } from '../pages/index.ts'
import type { Services } from '../services.ts'
import { refusalAnswer, type Refusal } from './refusal.ts'
import type { RefusedRequest, Return } from './request.ts'

/** Saves the person a click where scripts run; the page works without. */
const SEND = "document.getElementById('answer').submit()"
const SEND_HASH = createHash('sha256').update(SEND).digest('base64')

/** Sends the browser back to the application with a code, or shows the code when there is nowhere to go. */
export function sendCode(services: Services, to: Return, code: string): Answer {
  if (isOutOfBand(to.redirectUri)) return redirect(`/oauth/authorize/native?code=${encodeURIComponent(code)}`)
  return send(services, to, { code })
}

/** Tells the application of a refusal, or, where it cannot be told, whoever sent the form. */
export function sendRefusal(services: Services, { refusal, to }: RefusedRequest): Answer {
  if (!to || isOutOfBand(to.redirectUri)) return refusalAnswer(refusal, to?.state)
  return send(services, to, { error: refusal.error, error_description: refusal.description })
}

function send(services: Services, to: Return, parameters: Record<string, string>): Answer {
  const all = to.state === '' ? parameters : { ...parameters, state: to.state }
  if (to.mode === 'form_post') return formPost(services, to.redirectUri, all)
  const text = Object.entries(all)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
  if (to.mode === 'fragment') return redirect(`${to.redirectUri}#${text}`)
  const separator = !to.redirectUri.includes('?') ? '?' : /[?&]$/.test(to.redirectUri) ? '' : '&'
  return redirect(`${to.redirectUri}${separator}${text}`)
}

/** A form that goes to the application (OAuth 2.0 Form Post Response Mode). */
function formPost(services: Services, redirectUri: string, parameters: Record<string, string>): Answer {
  const policy = `${PAGE_HEADERS['Content-Security-Policy'] ?? ''}; script-src 'sha256-${SEND_HASH}'`
  return pageAnswer(services, undefined, {
    title: 'Back to the application',
    headers: { 'Content-Security-Policy': policy },
    body: html`<h1>Back to the application</h1>
      <p>You are sent back to the application that you came from.</p>
      <form id="answer" action="${redirectUri}" method="post">
        ${Object.entries(parameters).map(([name, value]) => hidden(name, value))}
        <button type="submit" class="button primary">Continue</button>
      </form>
      <script>
        ${new Html(SEND)}
      </script>`,
  })
}

/** A refusal as a page, for the person: the application is not told. */
export const refusalPage = (services: Services, refusal: Refusal): Answer =>
  pageAnswer(services, undefined, {
    title: 'Authorization failed',
    status: refusal.status,
    body: html`<h1>This application cannot be authorized</h1>
      <p class="alert" role="alert">${refusal.description}</p>
      <p class="quiet">
        Something is wrong with the link that brought you here. Go back to the application and try again, or tell its
        makers: <span class="code">${refusal.error}</span>.
      </p>`,
  })
