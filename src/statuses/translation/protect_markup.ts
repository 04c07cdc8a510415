import { escapeHtml, htmlToText, markShortcodes } from '../../core/text/index.ts'
import { sanitiseRemote } from '../../core/text/sanitise.ts'

/** A text that is ready for a backend. */
export interface ProtectedText {
  /** HTML in which each protected piece is one marked element without children. */
  readonly html: string
  /** Sanitises the backend's translation and puts the protected pieces back. */
  restore(translated: string): string
}

/**
 * Tags and the text between them. Attributes are quoted and have no angle brackets, because the
 * HTML was formatted or sanitised here.
 */
const TOKEN = /<(\/?)([a-z][a-z0-9]*)([^>]*)>|[^<]+|</gi
const VOID = /^(?:br|hr|img|wbr)$/i
/** Mentions and links have this mark; a translated hashtag would no longer match its link. */
const PROTECTED_TAG = /\stranslate="no"|\sclass="[^"]*\bhashtag\b/i

/** Sanitising preserves the class, but not `data-` attributes. */
const MARK = /<span\b[^>]*\bclass="u-kept-(\d+)"[^>]*>[^<]*<\/span>/g

function createPieces() {
  const pieces: string[] = []
  return {
    pieces,
    mark(html: string): string {
      pieces.push(html)
      return `<span class="u-kept-${pieces.length - 1}" translate="no">${escapeHtml(htmlToText(html))}</span>`
    },
  }
}

/**
 * Protects the markup of a status's HTML. Backends do not translate marked elements, but some alter
 * their content, so the original is restored.
 */
export function protectHtml(html: string): ProtectedText {
  const { pieces, mark } = createPieces()
  let marked = ''
  let piece = ''
  let depth = 0
  for (const [token, slash, name, attributes = ''] of html.matchAll(TOKEN)) {
    const opens = name !== undefined && slash === '' && !VOID.test(name)
    if (depth > 0) {
      piece += token
      if (name !== undefined && !VOID.test(name)) depth += opens ? 1 : -1
      if (depth === 0) marked += mark(piece)
    } else if (opens && PROTECTED_TAG.test(attributes)) {
      piece = token
      depth = 1
    } else marked += name === undefined ? markShortcodes(token, mark) : token
  }
  return {
    // An unclosed element is left as it is.
    html: depth > 0 ? marked + piece : marked,
    restore: translated => sanitiseRemote(translated).replace(MARK, (_, index: string) => pieces[Number(index)] ?? ''),
  }
}

/** Plain text, with its line breaks. */
export function protectText(text: string): ProtectedText {
  const { html, restore } = protectHtml(escapeHtml(text).replaceAll('\n', '<br />'))
  return { html, restore: translated => htmlToText(restore(translated)) }
}
