import { html, type Content, type Html } from '../../core/html.ts'

/**
 * A part of a page with its heading.
 * @param id unique in the page; links may point to it
 */
export const section = (id: string, title: string, content: Content): Html =>
  html`<section class="card section" id="${id}" aria-labelledby="${id}_title">
    <h2 id="${id}_title">${title}</h2>
    ${content}
  </section>`

/**
 * A list of entries (`li` with the class `entry`).
 * @param empty shown instead of a list without entries
 */
export const entryList = (entries: readonly Html[], empty: string): Html =>
  entries.length === 0
    ? html`<p class="empty">${empty}</p>`
    : html`<ul class="entries">
        ${entries}
      </ul>`

/** Content behind a summary. */
export const disclosure = (summary: Content, content: Content, open = false): Html =>
  html`<details class="disclosure" ${open && html` open`}>
    <summary>${summary}</summary>
    <div>${content}</div>
  </details>`

/** The paragraphs of a plain text; older texts of forms have the line breaks of HTTP. */
export const paragraphs = (text: string): Html[] =>
  text
    .replaceAll('\r\n', '\n')
    .split(/\n{2,}/)
    .filter(paragraph => paragraph.trim() !== '')
    .map(paragraph => html`<p class="written" dir="auto">${paragraph}</p>`)
