import { html as htmlAnswer, pageHeaders, type Response } from '../http/index.ts'
import type { Services } from '../services.ts'
import { customStylePath } from './custom_style.ts'
import { translator, type Translator } from '../i18n/index.ts'
import { form, submit } from './form.ts'
import { html, type Content, type Html } from '../../core/html.ts'
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
  speaker?: Translator
  /** Links to the other pages of the same area. */
  navigation?: Html
  /** Additional content of the head, such as link previews. */
  head?: Content
  /** The body consists of cards, instead of the content of one. */
  column?: boolean
  /** The origins of the files that the page shows, beside this server's. */
  shown?: readonly string[]
}

/**
 * Responds with a page in the common layout. Without a session the visitor is anonymous and no
 * cookie is set.
 */
export function pageAnswer(
  services: Pick<Services, 'settings' | 'storage'>,
  visit: PageVisitor | undefined,
  page: Page,
): Response {
  const site = services.settings.get('site_title')
  const notice = page.notice ?? visit?.takeNotice()
  const speaker = visit?.speaker ?? page.speaker ?? translator('en')
  const theme = services.settings.get('theme')
  const document = html`<!doctype html>
    <html lang="${speaker.language}" data-theme="${theme}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="${theme === 'system' ? 'light dark' : theme}" />
        <title>${page.title} · ${site}</title>
        <link rel="stylesheet" href="/assets/style.css" />
        ${page.head} ${customStyle(services)}
      </head>
      <body>
        <a class="skip" href="#content">${speaker.t('page.skip')}</a>
        <header class="top">
          <a class="brand" href="/">${site}</a>
          ${visit?.viewer && signedIn(visit, visit.viewer.username)}
        </header>
        ${page.navigation}
        <main class="${page.column === true ? 'column' : 'card'}" id="content">
          ${notice && html`<p class="${notice.kind}" role="${notice.kind === 'alert' ? 'alert' : 'status'}">${notice.text}</p>`}
          ${page.body}
        </main>
      </body>
    </html>`
  const headers = { ...pageHeaders(services, page.shown), 'Cache-Control': 'private, no-store', ...page.headers }
  const answer = htmlAnswer(document.text, page.status ?? 200, headers)
  return visit ? visit.answer(answer) : answer
}

/** The administrator's styles, which come last. */
function customStyle({ settings }: Pick<Services, 'settings'>): Content {
  const css = settings.get('custom_css')
  return css !== '' && html`<link rel="stylesheet" href="${customStylePath(css)}" />`
}

const signedIn = (visit: PageVisitor, username: string): Html => html`
  <div class="who">
    <span>@${username}</span>
    ${form({ action: '/auth/sign_out', method: 'delete', csrfToken: visit.csrfToken(), class: 'inline' }, submit(visit.speaker.t('page.sign_out'), 'plain'))}
  </div>
`
