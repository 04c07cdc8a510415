import { ApiError } from '../../core/errors.ts'

/** Limits the bytes of bodies in memory, in all and per owner. */
export interface Room {
  /** Opens a reservation for a request, counted against its owners: an address, a person. */
  open(...owners: readonly string[]): Share
}

export interface Share {
  /** Reserves more bytes. Without room it reserves nothing and returns the error for the client. */
  take(sizeBytes: number): ApiError | undefined
  give(sizeBytes: number): void
  /** Releases all bytes. */
  release(): void
}

export interface RoomOptions {
  readonly mostBytes: number
  /** The limit per owner. */
  readonly ownBytes: number
  /**
   * Requests below this size may use a reserve, so that small bodies are accepted even when the
   * memory is full.
   */
  readonly small?: { readonly mostBytes: number; readonly reserveBytes: number }
}

const NO_RESERVE = { mostBytes: 0, reserveBytes: 0 }

export function createRoom({ mostBytes, ownBytes, small = NO_RESERVE }: RoomOptions): Room {
  const owned = new Map<string, number>()
  let heldBytes = 0

  function add(owners: readonly string[], sizeBytes: number): void {
    heldBytes += sizeBytes
    for (const owner of owners) {
      const total = (owned.get(owner) ?? 0) + sizeBytes
      if (total > 0) owned.set(owner, total)
      else owned.delete(owner)
    }
  }

  return {
    open(...owners) {
      let takenBytes = 0
      const give = (sizeBytes: number): void => {
        takenBytes -= sizeBytes
        add(owners, -sizeBytes)
      }
      return {
        take(sizeBytes) {
          const isSmall = takenBytes + sizeBytes <= small.mostBytes
          if (heldBytes + sizeBytes > mostBytes + (isSmall ? small.reserveBytes : 0)) return new ApiError('unavailable')
          if (owners.some(owner => (owned.get(owner) ?? 0) + sizeBytes > ownBytes))
            return new ApiError('tooManyRequests')
          takenBytes += sizeBytes
          add(owners, sizeBytes)
          return undefined
        },
        give,
        release: () => give(takenBytes),
      }
    },
  }
}
