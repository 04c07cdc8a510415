import { domainInAscii } from '../../core/parse_url.ts'

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const DOMAIN = new RegExp(`^(?:${LABEL}\\.)*${LABEL}$`)

const MAX_LENGTH = 253

/**
 * A domain in the form of the blocks: lower case, ASCII, without a final dot; undefined for an
 * invalid one.
 */
export function normaliseDomain(text: string): string | undefined {
  const ascii = domainInAscii(text.trim().replace(/\.$/, ''))
  return ascii.length <= MAX_LENGTH && isDomain(ascii) ? ascii : undefined
}

/** Whether a lower-case text is a domain in ASCII. */
export const isDomain = (text: string): boolean => DOMAIN.test(text)

/** A domain and its parents: `mail.a.example`, `a.example`, `example`. */
export function domainAndParents(domain: string): string[] {
  const labels = domain.toLowerCase().replace(/\.$/, '').split('.')
  return labels.map((_, index) => labels.slice(index).join('.'))
}
