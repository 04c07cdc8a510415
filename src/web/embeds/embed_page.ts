import { ApiError } from '../../core/errors.ts'
import {
  html as htmlResponse,
  operation,
  pageHeaders,
  pageLanguage,
  param,
  redirect,
  type Context,
} from '../../platform/http/index.ts'
import { html } from '../../platform/ui/index.ts'
import { originsOf, parseStatus, statusParts, type ShownStatus } from '../public/index.ts'
import { openWebSession } from '../../auth/sessions/index.ts'
import { renderPublicStatus } from '../../statuses/index.ts'
import { translatorFor, type Translator } from '../../platform/i18n/index.ts'
import { findEmbeddable } from './find.ts'

/** In limited federation mode posts are for signed-in users only, in frames too. */
async function isClosed(context: Context): Promise<boolean> {
  return context.settings.get('limited_federation_mode') && !(await openWebSession(context)).viewer
}

/** A status as a page for frames on other sites. */
export const showEmbed = operation({
  method: 'GET',
  // The first part is @NAME, which the router cannot express.
  path: '/:account/:id/embed',
  auth: 'public',
  scopes: [],
  allowWhenClosed: 'always',
  cache: 'handler',
  page: true,
  summary: 'Show a public status, for frames on other sites',
  params: { account: param.string(), id: param.id() },
  returns: 'text/html',
  async handle({ account, id }, context) {
    if (await isClosed(context)) return redirect('/auth/sign_in', 302, { 'Cache-Control': 'private, no-store' })
    const { username } = await findEmbeddable(context, id)
    if (account.toLowerCase() !== `@${username}`.toLowerCase()) throw new ApiError('routeNotFound')
    const rendered = await renderPublicStatus(context, id)
    if (!rendered) throw new ApiError('routeNotFound')
    const status = parseStatus(rendered)
    const translator = translatorFor(pageLanguage(context.request, context.config))
    return htmlResponse(embedDocument(status, translator), 200, {
      ...pageHeaders(context),
      'X-Frame-Options': '',
      'Content-Security-Policy': policyFor(status),
      'Cache-Control': context.settings.get('limited_federation_mode') ? 'private, no-store' : 'public, max-age=180',
      Vary: 'Accept-Language',
    })
  },
})

/**
 * Allows this server's scripts and styles, pictures and videos from where it stores them, and any
 * embedding page.
 */
function policyFor(status: ShownStatus): string {
  const media = originsOf(status).join(' ')
  return (
    `default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' ${media}; media-src 'self' ${media}; ` +
    `base-uri 'none'; form-action 'none'`
  )
}

/** Links open outside of the frame. */
function embedDocument(status: ShownStatus, translator: Translator): string {
  const name = status.account.display_name || status.account.username
  return html`<!doctype html>
    <html lang="${translator.language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="robots" content="noindex" />
        <base target="_blank" />
        <title>${translator.t('embed.title', { name })}</title>
        <link rel="stylesheet" href="/assets/style.css" />
        <link rel="stylesheet" href="/assets/public.css" />
        <link rel="stylesheet" href="/assets/embed.css" />
        <script src="/assets/embedded.js" defer></script>
      </head>
      <body class="embed">
        <main class="card status">
          <h1 class="spoken">${translator.t('embed.title', { name })}</h1>
          ${statusParts(status, translator)}
        </main>
      </body>
    </html>`.text
}
