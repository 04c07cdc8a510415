import { ApiError } from '../../core/errors.ts'

/** Bytes that a server holds at once, of which nobody may have more than a share. */
export interface Room {
  /** What a request takes of the room in the name of those who are behind it: an address, a person. */
  open(...owners: readonly string[]): Share
}

export interface Share {
  /** Takes so many bytes more; when there is no room for them, gives the failure that tells why, and takes nothing. */
  take(sizeBytes: number): ApiError | undefined
  give(sizeBytes: number): void
  /** Gives all of it back. */
  release(): void
}

export interface RoomOptions {
  readonly mostBytes: number
  /** The most in the name of one owner. */
  readonly ownBytes: number
  /** Requests that hold less than this may take of a reserve, so that what is small is taken also when the room is full. */
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
