import { endOfHost } from './host.ts'

/** A range of a text in UTF-16 indexes; `end` is exclusive. */
export type Span = { start: number; end: number }

const HOST_SCHEMES = new Set(['http', 'https', 'dat', 'dweb', 'ipfs', 'ipns', 'ssb', 'gopher', 'gemini'])
const MAX_SCHEME_LENGTH = 'gopher'.length

const NOT_BEFORE = new Set('@＠$#＃')
const NOT_LAST_IN_PATH = new Set('!*"\'「」<>;:=,.$%[]~&|')
const LAST_IN_QUERY = /[a-zA-Z0-9_&=#/\u0080-\uffff-]/

const PATH_RUN = /[^\s\u0085<>()?]+/uy
const QUERY_RUN = /\?[^\s\p{Cc}"<>\\`{}]+/uy
const PORT = /:[0-9]{1,5}(?![0-9])/y
const XMPP_USER = /[^\s\u0085<>()?/@"':;,]{1,1023}@/uy

function isAsciiAlphanumeric(code: number): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a)
}

/** The end of the match of a sticky pattern at `start`, or `start` when it does not match there. */
function endOfRun(pattern: RegExp, text: string, start: number): number {
  pattern.lastIndex = start
  return pattern.test(text) ? pattern.lastIndex : start
}

/**
 * The end of the parentheses that open at `start`; -1 when they are not closed or nest more than
 * one level.
 */
function endOfParentheses(text: string, start: number): number {
  let depth = 0
  for (let at = start; ;) {
    const mark = text[at]
    if (mark === '(') depth++
    else if (mark === ')') depth--
    else return -1
    at++
    if (depth === 0) return at
    if (depth > 2) return -1
    at = endOfRun(PATH_RUN, text, at)
  }
}

/**
 * The end of the path whose `/` is at `start`, without punctuation that ends a sentence rather than
 * a path.
 */
function endOfPath(text: string, start: number): number {
  if (text[start] !== '/') return start
  let shortest = start + 1
  let end = endOfRun(PATH_RUN, text, start)
  while (text[end] === '(') {
    const closed = endOfParentheses(text, end)
    if (closed < 0) break
    shortest = closed
    end = endOfRun(PATH_RUN, text, closed)
  }
  while (end > shortest && NOT_LAST_IN_PATH.has(text.charAt(end - 1))) end--
  return end
}

function endOfQuery(text: string, start: number): number {
  let end = endOfRun(QUERY_RUN, text, start)
  while (end > start && !LAST_IN_QUERY.test(text.charAt(end - 1))) end--
  return end
}

/** The end of the part after `scheme:`, or -1 when it is not an address. */
function endOfAddress(text: string, scheme: string, start: number): number {
  if (scheme === 'magnet') {
    const end = endOfQuery(text, start)
    return end > start ? end : -1
  }
  if (scheme === 'xmpp') {
    const host = endOfHost(text, endOfRun(XMPP_USER, text, start))
    return host < 0 ? -1 : endOfQuery(text, endOfPath(text, host))
  }
  if (!HOST_SCHEMES.has(scheme) || !text.startsWith('//', start)) return -1
  const host = endOfHost(text, start + 2)
  return host < 0 ? -1 : endOfQuery(text, endOfPath(text, endOfRun(PORT, text, host)))
}

/**
 * The address whose scheme ends in the colon at `colon`: `http`, `https`, `dat`, `dweb`, `ipfs`,
 * `ipns`, `ssb`, `gopher` and `gemini` with `://` and a host under a known top-level domain,
 * `xmpp:` and `magnet:`. Undefined when there is none, or when its scheme follows an ASCII letter
 * or digit or one of `@ ＠ $ # ＃`.
 */
export function urlAround(text: string, colon: number): Span | undefined {
  let start = colon
  while (start > 0 && colon - start <= MAX_SCHEME_LENGTH && isAsciiAlphanumeric(text.charCodeAt(start - 1))) start--
  if (start === colon || NOT_BEFORE.has(text.charAt(start - 1))) return undefined
  const end = endOfAddress(text, text.slice(start, colon).toLowerCase(), colon + 1)
  return end < 0 ? undefined : { start, end }
}
