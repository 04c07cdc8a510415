import { domainToASCII } from 'node:url'

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
const DOMAIN = new RegExp(`^(?:${LABEL}\\.)*${LABEL}$`)

const MAX_LENGTH = 253

/** A domain as blocks have it: lower case, ASCII, without a dot at the end; undefined when the text is none. */
export function normaliseDomain(text: string): string | undefined {
  const ascii = domainToASCII(text.trim().replace(/\.$/, ''))
  return ascii.length <= MAX_LENGTH && isDomain(ascii) ? ascii : undefined
}

/** Whether a text in lower case is a domain in ASCII. */
export const isDomain = (text: string): boolean => DOMAIN.test(text)

/** A domain and all that it is below: `mail.a.example`, `a.example`, `example`. */
export function domainAndParents(domain: string): string[] {
  const labels = domain.toLowerCase().replace(/\.$/, '').split('.')
  return labels.map((_, index) => labels.slice(index).join('.'))
}
