import { decodeHTML } from 'entities/decode'

const ESCAPED = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
])

/** A text as HTML: `& < > " '` as character references, so that it is safe in content and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => ESCAPED.get(character) ?? character)
}

const PARAGRAPH = /^<\/?(?:p|blockquote|pre|ul|ol|h[1-6]|div)(?![a-z0-9])/i
const LINE = /^<(?:br|\/li)(?![a-z0-9])/i

/** What a tag means in plain text. */
function breakOf(tag: string): string {
  if (LINE.test(tag)) return '\n'
  return PARAGRAPH.test(tag) ? '\n\n' : ''
}

/**
 * The text of HTML that was formatted or sanitised here: line breaks for `br` and list items, a blank line between
 * paragraphs, other tags dropped, character references decoded. For search, filters and notifications; the result is
 * text, not HTML, and has to be escaped where it is shown.
 */
export function htmlToText(html: string): string {
  let text = ''
  let done = 0
  for (;;) {
    const start = html.indexOf('<', done)
    const end = start < 0 ? -1 : html.indexOf('>', start)
    if (end < 0) break
    text += html.slice(done, start) + breakOf(html.slice(start, end + 1))
    done = end + 1
  }
  return decodeHTML(text + html.slice(done))
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
