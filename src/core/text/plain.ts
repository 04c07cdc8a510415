import { decodeHTML } from 'entities/decode'

const ESCAPED = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
  ['"', '&quot;'],
  ["'", '&#39;'],
])

/** Escapes `& < > " '`, so that the text is safe in content and in quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => ESCAPED.get(character) ?? character)
}

const PARAGRAPH = /^<\/?(?:p|blockquote|pre|ul|ol|h[1-6]|div)(?![a-z0-9])/i
const LINE = /^<(?:br|\/li)(?![a-z0-9])/i

/** The line break that a tag becomes in plain text. */
function breakOf(tag: string): string {
  if (LINE.test(tag)) return '\n'
  return PARAGRAPH.test(tag) ? '\n\n' : ''
}

/**
 * The tag of the element that names a quoted status for clients that do not show quotes; other
 * servers use a span.
 */
const QUOTE = /^<(p|span)\s[^>]*\bclass="(?:[^"]*\s)?quote-inline[\s"]/i

/**
 * The end of the element whose opening tag ends at `from`: after its closing tag, or at the end of
 * the text.
 */
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
 * Converts HTML that was formatted or sanitised here to text: line breaks for `br` and list items,
 * a blank line between paragraphs, no other tags, decoded character references. The reference to a
 * quoted status (`RE: LINK`) is omitted, since nobody wrote it. For search, filters and
 * notifications; the result is text, and must be escaped before it is displayed.
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

const ELEMENTS =
  'a abbr b big blockquote br center cite code dd del div dl dt em font h[1-6] hr i img ins li mark ol p pre q rp rt ruby s small span strike strong sub sup tt u ul'
const OTHER_THAN_TAG = new RegExp(`<(?!/?(?:${ELEMENTS.replaceAll(' ', '|')})(?:[\\s/][^<>]*)?>)`, 'gi')

/**
 * The text of another server that may be HTML or plain: as `htmlToText`, but only tags of elements
 * that format text are removed, so that `vector<int>` and `<spoilers>` stay.
 */
export const possibleHtmlToText = (text: string): string => htmlToText(text.replace(OTHER_THAN_TAG, '&lt;'))
