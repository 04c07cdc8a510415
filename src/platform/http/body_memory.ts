import { ApiError } from '../../core/errors.ts'

/** Limits the bytes of bodies in memory, in total and per owner. */
export interface BodyMemory {
  /** Opens a reservation for a request, counted against its owners: an address, a person. */
  open(...owners: readonly string[]): Reservation
}

export interface Reservation {
  /**
   * Reserves more bytes. When memory is short it reserves nothing and returns the error for the
   * client.
   */
  take(sizeBytes: number): ApiError | undefined
  giveBack(sizeBytes: number): void
  /** What is reserved. */
  readonly sizeBytes: number
  /** Releases all bytes. */
  release(): void
}

export interface BodyMemoryOptions {
  readonly limitBytes: number
  /** The limit per owner. */
  readonly ownerLimitBytes: number
  /**
   * Requests below this size may use a reserve, so that small bodies are accepted even when the
   * memory is full.
   */
  readonly small?: { readonly limitBytes: number; readonly reserveBytes: number }
}

const NO_RESERVE = { limitBytes: 0, reserveBytes: 0 }

export function createBodyMemory({ limitBytes, ownerLimitBytes, small = NO_RESERVE }: BodyMemoryOptions): BodyMemory {
  const owned = new Map<string, number>()
  let usedBytes = 0

  function add(owners: readonly string[], sizeBytes: number): void {
    usedBytes += sizeBytes
    for (const owner of owners) {
      const total = (owned.get(owner) ?? 0) + sizeBytes
      if (total > 0) owned.set(owner, total)
      else owned.delete(owner)
    }
  }

  return {
    open(...owners) {
      let reservedBytes = 0
      const giveBack = (sizeBytes: number): void => {
        reservedBytes -= sizeBytes
        add(owners, -sizeBytes)
      }
      return {
        take(sizeBytes) {
          const isSmall = reservedBytes + sizeBytes <= small.limitBytes
          if (usedBytes + sizeBytes > limitBytes + (isSmall ? small.reserveBytes : 0))
            return new ApiError('unavailable')
          if (owners.some(owner => (owned.get(owner) ?? 0) + sizeBytes > ownerLimitBytes))
            return new ApiError('tooManyRequests')
          reservedBytes += sizeBytes
          add(owners, sizeBytes)
          return undefined
        },
        giveBack,
        get sizeBytes() {
          return reservedBytes
        },
        release: () => giveBack(reservedBytes),
      }
    },
  }
}
