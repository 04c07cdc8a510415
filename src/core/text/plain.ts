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

/** A tag of the element that names a quoted status for those who do not show quotes; other servers write it as a span. */
const QUOTE = /^<(p|span)\s[^>]*\bclass="(?:[^"]*\s)?quote-inline[\s"]/i

/** Where the element whose first tag ends at `from` ends: after its closing tag, or at the end of the text. */
function endOfElement(html: string, name: string, from: number): number {
  const tag = new RegExp(`<(/?)${name}(?![a-z0-9-])[^>]*>`, 'gi')
  tag.lastIndex = from
  for (let depth = 1; depth > 0;) {
    const found = tag.exec(html)
    if (found === null) return html.length
    depth += found[1] === '/' ? -1 : 1
  }
  return tag.lastIndex
}

/**
 * The text of HTML that was formatted or sanitised here: line breaks for `br` and list items, a blank line between
 * paragraphs, other tags dropped, character references decoded. What stands in for a quoted status (`RE: LINK`) is
 * left out: nobody wrote it. For search, filters and notifications; the result is text, not HTML, and has to be escaped
 * where it is shown.
 */
export function htmlToText(html: string): string {
  let text = ''
  let done = 0
  for (;;) {
    const start = html.indexOf('<', done)
    const end = start < 0 ? -1 : html.indexOf('>', start)
    if (end < 0) break
    const tag = html.slice(start, end + 1)
    const quote = QUOTE.exec(tag)?.[1]
    text += html.slice(done, start) + (quote === undefined ? breakOf(tag) : '')
    done = quote === undefined ? end + 1 : endOfElement(html, quote, end + 1)
  }
  return decodeHTML(text + html.slice(done))
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
