import { escapeHtml, htmlToText, markShortcodes } from '../../core/text/index.ts'
import { sanitiseRemote } from '../../core/text/sanitise.ts'

/** A text made ready for a backend. */
export interface Kept {
  /** HTML, in which all that is to stay is one marked element without others in it. */
  readonly html: string
  /** What the backend made of it, safe, and with the pieces as they were. */
  restore(translated: string): string
}

/** Tags and what is between them. Attributes are quoted and have no angle brackets: it was formatted or sanitised here. */
const TOKEN = /<(\/?)([a-z][a-z0-9]*)([^>]*)>|[^<]+|</gi
const VOID = /^(?:br|hr|img|wbr)$/i
/** Mentions and addresses are marked like this; a hashtag would no longer lead to what it says. */
const STAYS = /\stranslate="no"|\sclass="[^"]*\bhashtag\b/i

/** The class outlives sanitising, which `data-` attributes do not. */
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

/** HTML of a status. Backends leave out what is marked, but not all leave its inside alone: it is put back as it was. */
export function keepInHtml(html: string): Kept {
  const { pieces, mark } = createPieces()
  let made = ''
  let piece = ''
  let depth = 0
  for (const [token, slash, name, attributes = ''] of html.matchAll(TOKEN)) {
    const opens = name !== undefined && slash === '' && !VOID.test(name)
    if (depth > 0) {
      piece += token
      if (name !== undefined && !VOID.test(name)) depth += opens ? 1 : -1
      if (depth === 0) made += mark(piece)
    } else if (opens && STAYS.test(attributes)) {
      piece = token
      depth = 1
    } else made += name === undefined ? markShortcodes(token, mark) : token
  }
  return {
    // An element that is never closed is left as it is.
    html: depth > 0 ? made + piece : made,
    restore: translated => sanitiseRemote(translated).replace(MARK, (_, index: string) => pieces[Number(index)] ?? ''),
  }
}

/** Plain text, with its line breaks. */
export function keepInText(text: string): Kept {
  const { html, restore } = keepInHtml(escapeHtml(text).replaceAll('\n', '<br />'))
  return { html, restore: translated => htmlToText(restore(translated)) }
}
