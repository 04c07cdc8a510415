import { html, type Content } from '../../core/html.ts'
import type { Services } from '../services.ts'
import type { Translator } from '../i18n/index.ts'
import { customStylePath } from './custom_style.ts'

/** An HTML document in the frame that all pages of the site share, error pages too. */
export interface HtmlDocument {
  /** Without the server's name. */
  readonly title: string
  readonly translator: Translator
  /** Additional content of the head, such as link previews. */
  readonly head?: Content
  /** At the right of the header, next to the server's name. */
  readonly aside?: Content
  readonly navigation?: Content
  readonly body: Content
  /** The body consists of cards, instead of the content of one. */
  readonly column?: boolean
}

/** Renders the document with the site's name, theme, icon and the administrator's styles. */
export function htmlDocument({ settings }: Pick<Services, 'settings'>, document: HtmlDocument): string {
  const { title, translator, head, aside, navigation, body, column } = document
  const site = settings.get('site_title')
  const theme = settings.get('theme')
  const css = settings.get('custom_css')
  return html`<!doctype html>
    <html lang="${translator.language}" data-theme="${theme}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="${theme === 'system' ? 'light dark' : theme}" />
        <title>${title} · ${site}</title>
        <link rel="icon" href="/favicon.ico" />
        <link rel="manifest" href="/manifest" />
        <link rel="stylesheet" href="/assets/style.css" />
        ${head} ${css !== '' && html`<link rel="stylesheet" href="${customStylePath(css)}" />`}
      </head>
      <body>
        <a class="skip" href="#content">${translator.t('page.skip')}</a>
        <header class="top">
          <a class="brand" href="/">${site}</a>
          ${aside}
        </header>
        ${navigation}
        <main class="${column === true ? 'column' : 'card'}" id="content">${body}</main>
      </body>
    </html>`.text
}
