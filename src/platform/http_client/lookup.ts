import { lookup, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isPublicAddress } from './address.ts'
import { privateAddress } from './failure.ts'

/**
 * Resolves names to public addresses only. The connection uses the address that was checked here,
 * so that a name which changes a moment later has no effect.
 */
export const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
    if (error) {
      callback(error, '')
      return
    }
    const allowed = found.filter(({ address }) => isPublicAddress(address))
    const [first] = allowed
    if (!first) callback(privateAddress(hostname), '')
    else if (options.all === true) callback(null, allowed)
    else callback(null, first.address, first.family)
  })
}
