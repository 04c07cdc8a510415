import { lookup, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'
import { isPublicAddress } from './address.ts'
import { OutgoingFailure } from './failure.ts'

/**
 * Resolves names to public addresses only. The connection is made to the address that was looked at here, so that a name which
 * resolves to something else a moment later leads nowhere else.
 */
export const lookupPublic: LookupFunction = (hostname, options, callback) => {
  lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
    if (error) {
      callback(error, '')
      return
    }
    const allowed = found.filter(({ address }) => isPublicAddress(address))
    const [first] = allowed
    if (!first) callback(new OutgoingFailure('refused', `${hostname} has no public address`), '')
    else if (options.all === true) callback(null, allowed)
    else callback(null, first.address, first.family)
  })
}
