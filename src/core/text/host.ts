import { parse } from 'tldts'

/** The limit of DNS; it also bounds the work that one candidate can cause. */
const MAX_HOST_LENGTH = 253

/** No internationalised top-level domain is longer. */
const MAX_UNICODE_TLD_LENGTH = 24

const LETTER = '\\p{L}\\p{M}\\p{N}\\p{So}'
const LABEL = `[${LETTER}](?:[${LETTER}_-]*[${LETTER}])?`
const HOST = new RegExp(`^${LABEL}(?:\\.${LABEL})+`, 'u')
const PUNYCODE = /^xn--[a-z0-9-]+$/
const ASCII_START = /^[a-z0-9-]+/

function isTopLevelDomain(label: string): boolean {
  return label.length > 1 && (PUNYCODE.test(label) || parse(`a.a.${label}`).isIcann === true)
}

/**
 * The length of the top-level domain at the beginning of a label; 0 when there is none. Text in
 * scripts without spaces may follow directly (`example.comです`), so the beginning of a label is
 * enough when no ASCII letter, digit or hyphen follows.
 */
function lengthOfTopLevelDomain(label: string): number {
  const ascii = ASCII_START.exec(label)?.[0]
  if (ascii !== undefined) return isTopLevelDomain(ascii) ? ascii.length : 0
  for (let length = Math.min(label.length, MAX_UNICODE_TLD_LENGTH); length > 1; length--) {
    if (!/^[a-z0-9_-]/.test(label.slice(length)) && isTopLevelDomain(label.slice(0, length))) return length
  }
  return 0
}

/**
 * The end of the host that begins at `start`: after its last label that is a known top-level domain
 * or `xn--…`. -1 when there is none, when it is longer than 253 UTF-16 units, or when `@` follows
 * (then it was a username).
 */
export function endOfHost(text: string, start: number): number {
  const run = HOST.exec(text.slice(start, start + MAX_HOST_LENGTH + 1))?.[0]
  if (run === undefined || run.length > MAX_HOST_LENGTH || text[start + run.length] === '@') return -1
  const host = run.toLowerCase().length === run.length ? run.toLowerCase() : run
  for (let end = host.length, dot = host.lastIndexOf('.'); dot > 0; end = dot, dot = host.lastIndexOf('.', dot - 1)) {
    const length = lengthOfTopLevelDomain(host.slice(dot + 1, end))
    if (length > 0) return start + dot + 1 + length
  }
  return -1
}
