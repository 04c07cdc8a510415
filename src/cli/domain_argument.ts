import { storedDomain } from '../core/parse_url.ts'
import { CliError } from './cli_error.ts'

/** A host in ASCII, or an address in brackets; with a port on test networks. */
const DOMAIN = /^(?:[a-z\d_-]+(?:\.[a-z\d_-]+)*\.?|\[[\da-f:.]+\])(?::\d{1,5})?$/

/** A domain that the operator named, as it is stored. @throws CliError */
export function domainArgument(text: string): string {
  const domain = storedDomain(text.trim())
  if (!DOMAIN.test(domain)) throw new CliError(`${text} is not a valid domain name`)
  return domain
}
