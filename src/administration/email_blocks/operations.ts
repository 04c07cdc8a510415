import { addAddress, listAddresses, removeAddress, showAddress, testAddress } from './addresses.ts'
import { addEmailDomain, listEmailDomains, removeEmailDomain, showEmailDomain } from './domains.ts'

export const operations = [
  listEmailDomains,
  showEmailDomain,
  addEmailDomain,
  removeEmailDomain,
  listAddresses,
  testAddress,
  showAddress,
  addAddress,
  removeAddress,
]
