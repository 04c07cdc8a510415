import { domainToUnicode } from 'node:url'

/**
 * An account as the client API and texts name it; null is this server. Domains are stored in ASCII
 * and shown in Unicode.
 */
export const acctOf = ({ username, domain }: { username: string; domain: string | null }): string =>
  domain === null ? username : `${username}@${domainToUnicode(domain) || domain}`
