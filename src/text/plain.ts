import sanitizeHtml from 'sanitize-html'

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

const REFERENCE = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,4}));/gi
const NAMED = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', '\u00a0'],
])

function decodeReferences(text: string): string {
  return text.replace(REFERENCE, (reference: string, decimal?: string, hexadecimal?: string, name?: string) => {
    if (name !== undefined) return NAMED.get(name.toLowerCase()) ?? reference
    const point = decimal === undefined ? Number.parseInt(hexadecimal ?? '', 16) : Number(decimal)
    const isCharacter = point > 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff)
    return isCharacter ? String.fromCodePoint(point) : '\ufffd'
  })
}

const KEPT_FOR_BREAKS = 'p br blockquote pre ul ol li h1 h2 h3 h4 h5 h6 div'.split(' ')
const RARE_REFERENCE = /&(?!(?:amp|lt|gt|quot|apos|nbsp|#\d{1,7}|#x[0-9a-f]{1,6});)[a-z]/i
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
  // Names such as &eacute; come only from elsewhere; the sanitiser knows all of them and leaves the few known here.
  const known = RARE_REFERENCE.test(html)
    ? sanitizeHtml(html, { allowedTags: KEPT_FOR_BREAKS, allowedAttributes: {} })
    : html
  let text = ''
  let done = 0
  for (;;) {
    const start = known.indexOf('<', done)
    const end = start < 0 ? -1 : known.indexOf('>', start)
    if (end < 0) break
    text += known.slice(done, start) + breakOf(known.slice(start, end + 1))
    done = end + 1
  }
  return decodeReferences(text + known.slice(done))
    .replace(/\n{3,}/g, '\n\n')
    .trim()
}
