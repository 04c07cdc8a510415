/** What moderators decide about whole domains: rules (domain blocks), and whom limited federation mode allows. */
export { allowDomain, disallowDomain } from './allow.ts'
export { removeEmojis } from './emojis.ts'
export { accountsToPurge, domainsNotAllowed, type Purge } from './purge.ts'
export { blockDomain, listDomainRules, SEVERITIES, unblockDomain, type DomainRule, type Severity } from './rule.ts'
