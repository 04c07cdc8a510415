import { rateLimitKey } from '../http/client_address.ts'
import type { Id } from '../../core/id.ts'
import { StreamError } from './access.ts'

/** What of streams is bounded: how many connections one account, and one address, may have open at a process. */
export interface StreamBounds {
  readonly account: number
  readonly address: number
}

/** Counts the connections of accounts and addresses, from before they are open, so that many that come at once are not all let in. */
export interface Seats {
  /** Takes a place for a connection. @throws Refusal 429 when the account or the address has as many as it may */
  take(account: Id, address: string): void
  /** Gives it back: once, when the connection has ended or does not come about. */
  leave(account: Id, address: string): void
}

const UNBOUNDED: Seats = { take: () => undefined, leave: () => undefined }

/**
 * @param bounds undefined: there are none
 * @param refused hears of each refusal, and by which bound
 */
export function createSeats(bounds: StreamBounds | undefined, refused: (bound: keyof StreamBounds) => void): Seats {
  if (!bounds) return UNBOUNDED
  const byAccount = new Map<Id, number>()
  const byAddress = new Map<string, number>()

  function change(counts: Map<string, number>, key: string, by: 1 | -1): void {
    const count = (counts.get(key) ?? 0) + by
    if (count > 0) counts.set(key, count)
    else counts.delete(key)
  }

  return {
    take(account, address) {
      const key = rateLimitKey(address)
      if ((byAccount.get(account) ?? 0) >= bounds.account) {
        refused('account')
        throw new StreamError(429, 'Too many open streams of this account')
      }
      if ((byAddress.get(key) ?? 0) >= bounds.address) {
        refused('address')
        throw new StreamError(429, 'Too many open streams from this address')
      }
      change(byAccount, account, 1)
      change(byAddress, key, 1)
    },
    leave(account, address) {
      change(byAccount, account, -1)
      change(byAddress, rateLimitKey(address), -1)
    },
  }
}
