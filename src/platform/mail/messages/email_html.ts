import { html, type Content, type Html } from '../../ui/index.ts'
import { recognise } from '../../../core/text/index.ts'
import type { Translator } from '../../i18n/index.ts'

/** A part of an e-mail's text. */
export interface EmailText {
  readonly text: string
  /** Whether somebody wrote it, in any language and direction. */
  readonly isQuoted: boolean
}

export interface EmailParts {
  readonly language: Translator['language']
  /** The name of the server. */
  readonly site: string
  readonly subject: string
  /** Texts above the button; line breaks and blank lines are preserved. */
  readonly before: readonly EmailText[]
  readonly content?: Html | undefined
  /** The target and label of the button. */
  readonly link: string
  readonly action: string
  readonly after: readonly EmailText[]
  /** A link in small print. */
  readonly ending?: { readonly link: string; readonly label: string } | undefined
}

/** Mentions and addresses do not decide the direction of a text: replies begin with a name. */
function isolated(text: string): Content {
  const entities = recognise(text)
  return [
    ...entities.map(({ start, end }, at) => [
      text.slice(entities[at - 1]?.end ?? 0, start),
      html`<bdi>${text.slice(start, end)}</bdi>`,
    ]),
    text.slice(entities.at(-1)?.end ?? 0),
  ]
}

/** By elements: several mail clients ignore `white-space`. */
const linesOf = (text: string, isQuoted: boolean): Content =>
  text.split('\n').map((line, at) => [at > 0 && html`<br />`, isQuoted ? isolated(line) : line])

const paragraphs = ({ text, isQuoted }: EmailText): Content =>
  text
    .split(/\n{2,}/)
    .map(part => html`<p ${isQuoted && html`dir="auto" `}style="margin: 0 0 1em">${linesOf(part, isQuoted)}</p>`)

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
    <html lang="${language}" dir="ltr">
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
          ${before.map(paragraphs)}
          ${content && html`<div dir="auto" style="margin: 0 0 1em; padding-left: 1em; border-left: 3px solid #8a84c9">${content}</div>`}
          <p style="margin: 1.5em 0 0.5em">
            <a
              href="${link}"
              style="display: inline-block; padding: 0.75em 1.5em; border-radius: 0.5em; background: #4a3fc9; color: #ffffff; font-weight: bold; text-decoration: none"
              >${action}</a
            >
          </p>
          <p style="margin: 0 0 1.5em; font-size: 14px">${link}</p>
          ${after.map(paragraphs)}
          ${ending && html`<p style="font-size: 14px"><a href="${ending.link}">${ending.label}</a></p>`}
        </div>
      </body>
    </html>`.text
