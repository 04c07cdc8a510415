import { rateLimitKey } from '../http/client_address.ts'
import type { Id } from '../../core/id.ts'
import { StreamError } from './access.ts'

/** The number of connections that one account, and one address, may have open at a process. */
export interface StreamBounds {
  readonly account: number
  readonly address: number
}

/**
 * Counts connections per account and address. A connection counts before it is open, so that a
 * burst of handshakes cannot exceed the limits.
 */
export interface ConnectionLimits {
  /**
   * Counts a connection.
   * @throws StreamError 429 when the account or the address is at its limit
   */
  acquire(account: Id, address: string): void
  /** Call once, when the connection has ended or could not be opened. */
  release(account: Id, address: string): void
}

const UNBOUNDED: ConnectionLimits = { acquire: () => undefined, release: () => undefined }

/**
 * @param bounds undefined for no limits
 * @param onRefused called with the limit that refused a connection
 */
export function createConnectionLimits(
  bounds: StreamBounds | undefined,
  onRefused: (bound: keyof StreamBounds) => void,
): ConnectionLimits {
  if (!bounds) return UNBOUNDED
  const byAccount = new Map<Id, number>()
  const byAddress = new Map<string, number>()

  function change(counts: Map<string, number>, key: string, by: 1 | -1): void {
    const count = (counts.get(key) ?? 0) + by
    if (count > 0) counts.set(key, count)
    else counts.delete(key)
  }

  return {
    acquire(account, address) {
      const key = rateLimitKey(address)
      if ((byAccount.get(account) ?? 0) >= bounds.account) {
        onRefused('account')
        throw new StreamError(429, 'Too many open streams of this account')
      }
      if ((byAddress.get(key) ?? 0) >= bounds.address) {
        onRefused('address')
        throw new StreamError(429, 'Too many open streams from this address')
      }
      change(byAccount, account, 1)
      change(byAddress, key, 1)
    },
    release(account, address) {
      change(byAccount, account, -1)
      change(byAddress, rateLimitKey(address), -1)
    },
  }
}
