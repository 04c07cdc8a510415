import { parse } from 'tldts'
import { cutCodePoints } from '../../../core/text/index.ts'

const NAME_CHARACTERS = 60
/** They reverse or embed what follows; see UAX #9. */
const BIDI_CONTROLS = /[\u202a-\u202e\u2066-\u2069\u200e\u200f\u061c]/g
const ADDRESS = /:\/\/|\bwww\.|\.\p{L}{2,}\//iu
const DOMAINS = /[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+/gu
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u
const [FIRST_STRONG_ISOLATE, POP_ISOLATE] = ['\u2068', '\u2069']

export const withoutBidiControls = (text: string): string => text.replace(BIDI_CONTROLS, '')

/** Whether mail clients make a link of a part of the name, such as `example.com`. */
const hasAddress = (name: string): boolean =>
  ADDRESS.test(name) || (name.match(DOMAINS) ?? []).some(found => parse(found).isIcann === true)

/**
 * A display name as e-mails show it: in one short line, without what could make it look like words
 * of the server, and isolated if it is written from right to left.
 * @param username replaces a name that is empty or contains an address of the web
 */
export function nameInMail(displayName: string, username: string): string {
  const line = withoutBidiControls(displayName)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim()
  if (line === '' || hasAddress(line)) return username
  const cut = cutCodePoints(line, NAME_CHARACTERS)
  const name = cut === line ? line : `${cut.trimEnd()}…`
  return RIGHT_TO_LEFT.test(name) ? `${FIRST_STRONG_ISOLATE}${name}${POP_ISOLATE}` : name
}
