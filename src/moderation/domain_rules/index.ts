/** Rules about domains (domain blocks), and the domains allowed in limited federation mode. */
export { allowDomain, disallowDomain } from './allow.ts'
export {
  findDomainAllow,
  findDomainAllows,
  findDomainRule,
  findDomainRules,
  renderDomainRule,
  type DomainAllow,
  type StoredRule,
} from './find.ts'
export { countEmojis, removeEmojis } from './emojis.ts'
export { lossesOf, type Losses } from './losses.ts'
export { accountsToPurge, domainsNotAllowed, purge, type Purge } from './purge.ts'
export {
  blockDomain,
  checkNewRule,
  findAppliedRule,
  changeDomainRule,
  listDomainRules,
  parseSeverity,
  SEVERITIES,
  unblockDomain,
  type DomainRule,
  type DomainRuleChange,
  type Severity,
} from './rule.ts'
