import { ApiError } from '../../core/errors.ts'
import type { Reply } from './respond.ts'
import type { Reservation } from './body_memory.ts'
import { GatheredBytes } from './gathered_bytes.ts'
import type { Arrival } from './slow_senders.ts'

/** The limit of a body, which is held in memory, unless the operation declares another. */
export const SMALL_BODY_BYTES = 1024 * 1024
/** The limit of the body of a GET, whose parameters usually are in the query. */
export const GET_BODY_BYTES = 16 * 1024

/**
 * Collects a request's body. uWebSockets.js reuses the chunks after the callback, so they are
 * copied. Call it before the first await of the handler.
 * @param claimedBytes the header Content-Length; 0 when it is absent
 * @throws ApiError requestTimeout when the client disconnects first
 * @throws ApiError tooLarge when more than `limitBytes` are announced or have arrived; the
 * reservation's error when memory is short. The rest is read and dropped.
 */
export function collectBody(
  reply: Reply,
  limitBytes: number,
  reservation: Reservation,
  claimedBytes: number,
  arrival: Arrival,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let gathered: GatheredBytes | undefined = new GatheredBytes()
    const refuse = (failure: ApiError): void => {
      gathered = undefined
      arrival.end()
      reservation.release()
      reject(failure)
    }
    reply.onAbort = () => refuse(new ApiError('requestTimeout'))
    reply.response.onData((chunk, isLast) => {
      if (!gathered) return
      if (gathered.sizeBytes + chunk.byteLength > limitBytes) return refuse(new ApiError('tooLarge'))
      const full = reservation.take(gathered.costOf(chunk.byteLength))
      if (full) return refuse(full)
      gathered.add(new Uint8Array(chunk))
      arrival.progress()
      if (!isLast) return
      arrival.end()
      resolve(joined(gathered.takeAll()))
    })
    if (claimedBytes > limitBytes) refuse(new ApiError('tooLarge'))
  })
}

const joined = (pieces: readonly Buffer[]): Buffer =>
  pieces.length === 1 ? (pieces[0] ?? Buffer.alloc(0)) : Buffer.concat(pieces)
