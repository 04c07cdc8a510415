import { html, type Html } from '../../ui/index.ts'
import type { Translator } from '../../i18n/index.ts'

export interface EmailParts {
  readonly language: Translator['language']
  /** The name of the server. */
  readonly site: string
  readonly subject: string
  /** Paragraphs above the button; line breaks are preserved. */
  readonly before: readonly string[]
  readonly content?: Html | undefined
  /** The target and label of the button. */
  readonly link: string
  readonly action: string
  readonly after: readonly string[]
  /** A link in small print. */
  readonly ending?: { readonly link: string; readonly label: string } | undefined
}

const paragraph = (text: string): Html => html`<p style="margin: 0 0 1em; white-space: pre-line">${text}</p>`

/**
 * An e-mail as HTML: a single column that fits a phone, with inline styles, because mail clients
 * drop style sheets. The URL is repeated below the button, for clients that show no links.
 */
export const emailHtml = ({
  language,
  site,
  subject,
  before,
  content,
  link,
  action,
  after,
  ending,
}: EmailParts): string =>
  html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${subject}</title>
      </head>
      <body
        style="margin: 0; padding: 1.5em 1em; font: 16px/1.5 system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif"
      >
        <div style="max-width: 32em; margin: 0 auto; overflow-wrap: anywhere">
          <p style="margin: 0 0 1.5em; font-weight: bold">${site}</p>
          ${before.map(paragraph)}
          ${content && html`<div style="margin: 0 0 1em; padding-left: 1em; border-left: 3px solid #8a84c9">${content}</div>`}
          <p style="margin: 1.5em 0 0.5em">
            <a
              href="${link}"
              style="display: inline-block; padding: 0.75em 1.5em; border-radius: 0.5em; background: #4a3fc9; color: #ffffff; font-weight: bold; text-decoration: none"
              >${action}</a
            >
          </p>
          <p style="margin: 0 0 1.5em; font-size: 14px">${link}</p>
          ${after.map(paragraph)}
          ${ending && html`<p style="font-size: 14px"><a href="${ending.link}">${ending.label}</a></p>`}
        </div>
      </body>
    </html>`.text
