import type { Config } from '../../../core/config.ts'
import { isDomain, checkAddress, resolveMailHosts, type BlockMatch } from '../../../moderation/email_blocks/index.ts'
import { memberOf } from '../../../platform/jobs/index.ts'
import type { Services } from '../../../platform/services.ts'
import type { ValidationErrors } from '../../../accounts/index.ts'
import { domainInAscii } from '../../../core/parse_url.ts'

const MAX_EMAIL_LENGTH = 320
const FORM = /^[^\s@%,"<>()[\]\\;:]{1,64}@([^\s@%,"<>()[\]\\;:]+)$/

/** An address in the form that is stored and compared. */
export const normaliseEmail = (text: string): string => text.trim().toLowerCase()

/**
 * A typed address for a job that looks up its user. The slower work for existing users is done in
 * the job, so that response times do not reveal whether a user exists. Empty if the address is too
 * long to exist.
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

/** The domain of an address in ASCII; undefined if the address is invalid. */
function domainOfEmail(email: string): string | undefined {
  const domain = domainInAscii(FORM.exec(email)?.[1] ?? '')
  return domain !== '' && isDomain(domain) ? domain : undefined
}

/** Whether a normalized text has the form of an address. */
export const isEmail = (email: string): boolean =>
  email.length <= MAX_EMAIL_LENGTH && domainOfEmail(email) !== undefined

/** Adds the errors of an address's syntax; returns its domain if there are none. */
export function checkEmail(email: string, errors: ValidationErrors): string | undefined {
  const label = 'E-mail address'
  if (email === '') {
    errors.add('email', label, 'ERR_BLANK', "can't be blank")
    errors.add('email', label, 'ERR_INVALID', 'is invalid')
    return undefined
  }
  const domain = domainOfEmail(email)
  if (domain === undefined) errors.add('email', label, 'ERR_INVALID', 'is invalid')
  if (email.length > MAX_EMAIL_LENGTH) {
    errors.addTooLong('email', label, MAX_EMAIL_LENGTH)
    return undefined
  }
  return domain
}

/**
 * Whether DNS is asked about a domain: not if e-mail is only written to files, not for this
 * server's own domain, and not if private networks, which have names of their own, may be reached.
 */
const isLookedUp = (domain: string, { localDomain, allowPrivateAddresses, smtpUrl }: Config): boolean =>
  smtpUrl !== undefined && !allowPrivateAddresses && domain !== localDomain.replace(/:\d+$/, '')

/** Facts about an address beyond its syntax. */
export interface AddressFacts extends BlockMatch {
  /** Whether DNS says that it cannot receive e-mail. */
  readonly unreachable: boolean
}

const isListed = (domain: string, domains: readonly string[]): boolean =>
  domains.some(listed => domain === listed || domain.endsWith(`.${listed}`))

/** Whether the operator's allowlist and denylist permit a domain. */
const isWelcome = (domain: string, { emailDomainAllowlist: only, emailDomainDenylist: never }: Config): boolean =>
  !isListed(domain, never) && (only.length === 0 || isListed(domain, only))

/**
 * Finds out whether an address can receive e-mail, and whether it, its domain or its mail servers
 * are blocked.
 * @param clientAddress the IP address of the sign-up, for the statistics of the blocks; null
 * otherwise
 */
export async function checkEmailBlocks(
  { database, config }: Pick<Services, 'database' | 'config'>,
  email: string,
  domain: string,
  clientAddress: string | null,
): Promise<AddressFacts> {
  const mail = isLookedUp(domain, config) ? await resolveMailHosts(domain) : { reachable: true, hosts: [] }
  const judged = await checkAddress(database, email, [domain, ...mail.hosts], clientAddress)
  return { ...judged, blocked: judged.blocked || !isWelcome(domain, config), unreachable: !mail.reachable }
}
