import { validationError } from '../../core/errors.ts'
import { domainInAscii } from '../../core/parse_url.ts'

const HOST = /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)*[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * The stored form of a domain: lower-case ASCII without surrounding blanks or final slash.
 * @throws ApiError validation for an invalid domain
 */
export function normaliseDomain(input: string): string {
  const text = input.trim().replace(/\/$/, '')
  if (text === '') throw validationError("Domain can't be blank")
  const domain = domainInAscii(text)
  if (!HOST.test(domain)) throw validationError('Domain is not a valid domain name')
  return domain
}
