/** E-mail domains and addresses that may not sign up, or only with approval. */
export { blockDomain, isAddressBlocked, listDomainBlocks, unblockAddress, unblockDomain } from './blocks.ts'
export { isDomain, normaliseDomain } from './domain.ts'
export { checkAddress, type BlockMatch } from './check.ts'
export { lookUpMail, type MailResolver } from './mail_hosts.ts'
