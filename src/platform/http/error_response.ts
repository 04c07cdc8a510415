import { ApiError } from '../../core/errors.ts'
// Only the template: pages build on this folder, which must not import them.
import { html as markup } from '../../core/html.ts'
import type { Services } from '../services.ts'
import { translateError, translatorFor, type Translator, type TextKey } from '../i18n/index.ts'
import { html, json, type Response } from './response.ts'
import { pageHeaders } from './headers.ts'
import { htmlDocument } from './html_document.ts'
import { pageLanguage } from './language.ts'
import type { Request } from './request.ts'

/**
 * Whether errors of this request are pages: for a browser that asks for HTML outside of the API.
 */
const wantsPage = (request: Request): boolean =>
  !request.path.startsWith('/api/') && /\btext\/html\b/.test(request.header('accept'))

/**
 * The only place that turns an error into a response. Never shows the message of any other error
 * than an ApiError.
 */
export function errorResponse(
  error: unknown,
  request: Request,
  services: Pick<Services, 'config' | 'settings' | 'storage'>,
): Response {
  const failure = error instanceof ApiError ? error : new ApiError('internal')
  if (wantsPage(request)) {
    const i18n = translatorFor(pageLanguage(request, services.config))
    const headers = { ...pageHeaders(services), 'Cache-Control': 'private, no-store', ...failure.headers }
    return html(errorPage(services, failure, i18n), failure.status, headers)
  }
  const body = { error: failure.message, ...failure.body }
  return json(failure.status === 500 ? { status: 500, ...body } : body, failure.status, failure.headers)
}

/** An error page in the visitor's language, with the message of the API below. */
function errorPage(
  services: Pick<Services, 'settings'>,
  { code, status, message }: ApiError,
  i18n: Translator,
): string {
  const textOf = (part: 'title' | 'text'): TextKey => {
    const names = [`error.${code}.${part}`, `error.${status}.${part}`]
    return names.find(name => i18n.has(name)) ?? `error.${status < 500 ? 400 : 500}.${part}`
  }
  const title = i18n.t(textOf('title'))
  return htmlDocument(services, {
    title,
    translator: i18n,
    body: markup`<h1>${title}</h1>
      <p role="alert">${i18n.t(textOf('text'))}</p>
      <p class="quiet">${status} ${translateError(message, i18n)}</p>
      <p>
        ${
          code === 'serverClosed'
            ? markup`<a href="/settings/exports">${i18n.t('error.serverClosed.back')}</a>`
            : markup`<a href="/">${i18n.t('error.back')}</a>`
        }
      </p>`,
  })
}
