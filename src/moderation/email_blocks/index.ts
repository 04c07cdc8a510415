/** E-mail domains and addresses that may not sign up, or only with approval. */
export {
  blockAddress,
  findAddressBlock,
  findAddressBlocks,
  matchAddress,
  removeAddressBlock,
  type AddressBlock,
} from './addresses.ts'
export {
  blockDomain,
  createDomainBlock,
  findDomainBlock,
  findDomainBlocks,
  listDomainBlocks,
  unblockDomain,
  type EmailDomainBlock,
} from './domains.ts'
export { isDomain, normaliseDomain } from './domain.ts'
export { checkAddress, type BlockMatch } from './check.ts'
export { resolveMailHosts, type MailResolver } from './mail_hosts.ts'
