/** Rules about domains (domain blocks), and the domains allowed in limited federation mode. */
export { allowDomain, disallowDomain } from './allow.ts'
export { removeEmojis } from './emojis.ts'
export { accountsToPurge, domainsNotAllowed, type Purge } from './purge.ts'
export { blockDomain, listDomainRules, SEVERITIES, unblockDomain, type DomainRule, type Severity } from './rule.ts'
