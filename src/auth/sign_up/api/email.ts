import { domainToASCII } from 'node:url'
import type { Config } from '../../../core/config.ts'
import { isDomain, judgeAddress, lookUpMail, type Judgement } from '../../../moderation/email_blocks/index.ts'
import { memberOf } from '../../../platform/jobs/index.ts'
import type { Services } from '../../../platform/services.ts'
import type { ValidationErrors } from '../../../accounts/index.ts'

export const MAX_EMAIL_LENGTH = 320
const FORM = /^[^\s@%,"<>()[\]\\;:]{1,64}@([^\s@%,"<>()[\]\\;:]+)$/

/** An address as it is stored and compared. */
export const normaliseEmail = (text: string): string => text.trim().toLowerCase()

/**
 * An address that somebody typed, for a job that finds out whose it is: what takes longer for people who exist is done there, so that how long
 * the answer takes does not tell. Empty when it is too long to be anybody's.
 */
export function emailToFind(text: string): string {
  const email = normaliseEmail(text)
  return email.length > MAX_EMAIL_LENGTH ? '' : email
}

/** The address in the payload of such a job. */
export function parseEmail(payload: unknown): { email: string } {
  const email = memberOf(payload, 'email')
  if (typeof email !== 'string') throw new Error('the payload has no address')
  return { email }
}

/** The domain of an address in ASCII, or undefined when it is no address. */
export function domainOfEmail(email: string): string | undefined {
  const domain = domainToASCII(FORM.exec(email)?.[1] ?? '')
  return domain !== '' && isDomain(domain) ? domain : undefined
}

/** Notes what is wrong with the form of an address, and gives its domain when nothing is. */
export function checkEmail(email: string, faults: ValidationErrors): string | undefined {
  const label = 'E-mail address'
  if (email === '') {
    faults.add('email', label, 'ERR_BLANK', "can't be blank")
    faults.add('email', label, 'ERR_INVALID', 'is invalid')
    return undefined
  }
  const domain = domainOfEmail(email)
  if (domain === undefined) faults.add('email', label, 'ERR_INVALID', 'is invalid')
  if (email.length > MAX_EMAIL_LENGTH) {
    faults.addTooLong('email', label, MAX_EMAIL_LENGTH)
    return undefined
  }
  return domain
}

/**
 * Whether DNS is asked about a domain: not while mail is only written to files, not for our own, nor where private networks, which have
 * names of their own, may be reached.
 */
const isLookedUp = (domain: string, { localDomain, allowPrivateAddresses, smtpUrl }: Config): boolean =>
  smtpUrl !== undefined && !allowPrivateAddresses && domain !== localDomain.replace(/:\d+$/, '')

/** What is known of an address beyond its form. */
export interface AddressFacts extends Judgement {
  /** DNS says that no mail can reach it. */
  readonly unreachable: boolean
}

const isListed = (domain: string, domains: readonly string[]): boolean =>
  domains.some(listed => domain === listed || domain.endsWith(`.${listed}`))

/** Whether the operator lets a domain in: by a list of those that are, and one of those that are not. */
const isWelcome = (domain: string, { emailDomainAllowlist: only, emailDomainDenylist: never }: Config): boolean =>
  !isListed(domain, never) && (only.length === 0 || isListed(domain, only))

/**
 * Finds out whether mail can reach an address, and whether its domain, its mail servers or the address itself are blocked.
 * @param clientAddress who tries to sign up with it, for the statistics of the blocks; null for others
 */
export async function judgeEmail(
  { database, config }: Pick<Services, 'database' | 'config'>,
  email: string,
  domain: string,
  clientAddress: string | null,
): Promise<AddressFacts> {
  const mail = isLookedUp(domain, config) ? await lookUpMail(domain) : { reachable: true, hosts: [] }
  const judged = await judgeAddress(database, email, [domain, ...mail.hosts], clientAddress)
  return { ...judged, blocked: judged.blocked || !isWelcome(domain, config), unreachable: !mail.reachable }
}
