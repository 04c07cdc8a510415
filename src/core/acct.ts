import { domainToUnicode } from 'node:url'

/** The username of the server's own actor; people's usernames have no dot. */
export const INSTANCE_USERNAME = 'mastodon.internal'

/**
 * An account as the client API and texts name it; null is this server. Domains are stored in ASCII
 * and shown in Unicode.
 */
export const acctOf = ({ username, domain }: { username: string; domain: string | null }): string =>
  domain === null ? username : `${username}@${domainToUnicode(domain) || domain}`
