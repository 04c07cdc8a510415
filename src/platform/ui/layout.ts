import { html as htmlResponse, htmlDocument, pageHeaders, type Response } from '../http/index.ts'
import type { Services } from '../services.ts'
import { translatorFor, type Translator } from '../i18n/index.ts'
import { PREVIEW_SCRIPT } from './field.ts'
import { form, submit } from './form.ts'
import { html, type Content, type FormError, type Html } from '../../core/html.ts'
import type { Notice, PageVisitor } from './page_visitor.ts'

export interface Page {
  /** Without the server's name. */
  title: string
  body: Content
  status?: number
  /** Replaces the stored notice for the next page. */
  notice?: Notice
  headers?: Record<string, string>
  /** For a page without a session; default English. */
  translator?: Translator
  /** Links to the other pages of the same area. */
  navigation?: Html
  /** Additional content of the head, such as link previews. */
  head?: Content
  /** The body consists of cards, instead of the content of one. */
  column?: boolean
  /** The origins of the files that the page shows, in addition to this server's own. */
  fileOrigins?: readonly string[]
  /** The paths of this server's scripts that the page runs; it must be usable without them. */
  scripts?: readonly string[]
}

/**
 * Responds with a page in the common layout. Without a session the visitor is anonymous and no
 * cookie is set.
 */
export function pageResponse(
  services: Pick<Services, 'settings' | 'storage'>,
  webSession: PageVisitor | undefined,
  page: Page,
): Response {
  const notice = page.notice ?? webSession?.takeNotice()
  const translator = webSession?.translator ?? page.translator ?? translatorFor('en')
  const scripts = page.scripts ?? []
  const body = html`${page.body}`
  const document = htmlDocument(services, {
    title: page.title,
    translator,
    head: [page.head, scripts.map(path => html`<script type="module" src="${path}"></script>`)],
    aside: webSession?.viewer && signedIn(webSession, webSession.viewer.username),
    navigation: page.navigation,
    column: page.column === true,
    body: [message(notice, body.errors, translator), body],
  })
  const headers = {
    ...pageHeaders(services, {
      fileOrigins: page.fileOrigins,
      runsScripts: scripts.length > 0,
      previewsFiles: scripts.includes(PREVIEW_SCRIPT),
    }),
    'Cache-Control': 'private, no-store',
    ...page.headers,
  }
  const response = htmlResponse(document, page.status ?? 200, headers)
  return webSession ? webSession.respond(response) : response
}

/**
 * The message at the top of a page. Errors of fields are named with links to them, and the summary
 * gets the focus, so that a screen reader reads it first.
 */
function message(notice: Notice | undefined, errors: readonly FormError[], { t }: Translator): Content {
  if (errors.length === 0)
    return (
      notice &&
      html`<p class="${notice.kind}" role="${notice.kind === 'alert' ? 'alert' : 'status'}">${notice.text}</p>`
    )
  return html`<div class="alert" role="alert" tabindex="-1" autofocus>
    <p>${notice?.kind === 'alert' ? notice.text : t('ui.errors')}</p>
    <ul>
      ${errors.map(({ id, label, text }) => html`<li><a href="#${id}">${label}</a>${t('ui.colon')} ${text}</li>`)}
    </ul>
  </div>`
}

const signedIn = (webSession: PageVisitor, username: string): Html => html`
  <div class="who">
    <span>@${username}</span>
    ${form({ action: '/auth/sign_out', method: 'delete', csrfToken: webSession.csrfToken(), class: 'inline' }, submit(webSession.translator.t('page.sign_out'), 'plain'))}
  </div>
`
