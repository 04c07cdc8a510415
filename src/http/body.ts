import { Failure } from '../failure.ts'
import type { Reply } from './respond.ts'

/** Bodies of this size and less are taken whatever else is held. */
const SMALL_BYTES = 1024 * 1024

/** The bytes of large bodies that a server holds at once. */
export interface Room {
  /** A request's share of the room; it is given back when the request has been answered. */
  open(): Share
}

export interface Share {
  /** Whether there is room for so many bytes more. */
  take(sizeBytes: number): boolean
  release(): void
}

/** Room for so many bytes, so that many large uploads at once cannot take all of a machine's memory. */
export function createRoom(mostBytes: number): Room {
  let heldBytes = 0
  return {
    open() {
      let ownBytes = 0
      return {
        take(sizeBytes) {
          if (ownBytes + sizeBytes > SMALL_BYTES && heldBytes + sizeBytes > mostBytes) return false
          ownBytes += sizeBytes
          heldBytes += sizeBytes
          return true
        },
        release() {
          heldBytes -= ownBytes
          ownBytes = 0
        },
      }
    },
  }
}

interface Collected {
  add(chunk: Uint8Array): void
  end(): Buffer
}

function inPieces(): Collected {
  const chunks: Buffer[] = []
  return {
    add: chunk => void chunks.push(Buffer.from(chunk)),
    end: () => (chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks)),
  }
}

/** A large body whose size is known is written to its place at once, since joining pieces would take the memory twice. */
function inPlace(sizeBytes: number): Collected {
  // The operating system gives the memory as it is written: a size that is only claimed costs nothing.
  const whole = Buffer.allocUnsafeSlow(sizeBytes)
  let filledBytes = 0
  return {
    add(chunk) {
      whole.set(chunk, filledBytes)
      filledBytes += chunk.byteLength
    },
    end: () => whole.subarray(0, filledBytes),
  }
}

/**
 * Collects a request's body. The chunks that uWebSockets.js hands over are taken back after the callback, so they are copied.
 * Must be called before the first await of the handler.
 * @param claimed the header Content-Length
 * @throws Failure requestTimeout when the client hangs up first
 * @throws Failure tooLarge as soon as more than `limitBytes` have come, unavailable when the room is full; the rest is read and dropped
 */
export function collectBody(reply: Reply, limitBytes: number, share: Share, claimed: string): Promise<Buffer> {
  const { response } = reply
  const claimedBytes = Number(claimed)
  return new Promise((resolve, reject) => {
    const isLarge = claimedBytes > SMALL_BYTES && claimedBytes <= limitBytes
    let collected: Collected | undefined = isLarge ? inPlace(claimedBytes) : inPieces()
    let sizeBytes = 0
    const refuse = (failure: Failure): void => {
      collected = undefined
      reject(failure)
    }
    reply.onAbort = () => refuse(new Failure('requestTimeout'))
    response.onData((chunk, isLast) => {
      if (!collected) return
      sizeBytes += chunk.byteLength
      if (sizeBytes > limitBytes || (isLarge && sizeBytes > claimedBytes)) return refuse(new Failure('tooLarge'))
      if (!share.take(chunk.byteLength)) return refuse(new Failure('unavailable'))
      collected.add(new Uint8Array(chunk))
      if (isLast) resolve(collected.end())
    })
  })
}
