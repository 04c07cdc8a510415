import { promises as dns } from 'node:dns'
import { domainToASCII } from 'node:url'
import type { Config } from '../../config.ts'
import type { Faults } from '../faults.ts'

export const LONGEST_EMAIL = 320
const FORM = /^[^\s@%,"<>()[\]\\;:]{1,64}@([^\s@%,"<>()[\]\\;:]+)$/
const HOST = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** An address as it is stored and compared. */
export const normaliseEmail = (text: string): string => text.trim().toLowerCase()

/** The domain of an address in ASCII, or undefined when it is no address. */
export function domainOfEmail(email: string): string | undefined {
  const domain = domainToASCII(FORM.exec(email)?.[1] ?? '')
  return domain !== '' && HOST.test(domain) ? domain : undefined
}

/** Notes what is wrong with the form of an address, and gives its domain when nothing is. */
export function checkEmail(email: string, faults: Faults): string | undefined {
  const label = 'E-mail address'
  if (email === '') {
    faults.add('email', label, 'ERR_BLANK', "can't be blank")
    return undefined
  }
  const domain = domainOfEmail(email)
  if (domain === undefined) faults.add('email', label, 'ERR_INVALID', 'is invalid')
  if (email.length > LONGEST_EMAIL) {
    faults.addTooLong('email', label, LONGEST_EMAIL)
    return undefined
  }
  return domain
}

/** What is asked of DNS; each rejects with a `code` as node:dns has them. */
export interface MailResolver {
  resolveMx(domain: string): Promise<unknown[]>
  resolve4(domain: string): Promise<unknown[]>
  resolve6(domain: string): Promise<unknown[]>
}

/** Answers that say that there is nothing. Others say that nobody could tell, which is not held against the person. */
const NOTHING = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME'])
const TIMEOUT_MS = 3000

const saysNothing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && NOTHING.has(error.code)

/** Whether DNS says that no mail can reach a domain: it has neither a mail server nor an address. */
export async function isUnreachable(
  domain: string,
  resolver: MailResolver = new dns.Resolver({ timeout: TIMEOUT_MS, tries: 1 }),
): Promise<boolean> {
  for (const ask of ['resolveMx', 'resolve4', 'resolve6'] as const) {
    try {
      if ((await resolver[ask](domain)).length > 0) return false
    } catch (error) {
      if (!saysNothing(error)) return false
    }
  }
  return true
}

/**
 * Whether DNS is asked about a domain: not while mail is only written to files, not for our own, nor where private networks, which have
 * names of their own, may be reached.
 */
export const isLookedUp = (domain: string, { localDomain, allowPrivateAddresses, smtpUrl }: Config): boolean =>
  smtpUrl !== undefined && !allowPrivateAddresses && domain !== localDomain.replace(/:\d+$/, '')
