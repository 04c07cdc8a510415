import { ApiError } from '../../core/errors.ts'
import type { Reply } from './respond.ts'
import type { Share } from './body_memory.ts'

/** What a body may be where the operation says nothing else. It is held in memory. */
export const SMALL_BODY_BYTES = 1024 * 1024

/**
 * Collects a request's body. The chunks that uWebSockets.js hands over are taken back after the callback, so they are copied.
 * Whoever sends slower than 16 KB a second is cut off by uWebSockets.js after ten seconds.
 * Must be called before the first await of the handler.
 * @param claimedBytes what the header Content-Length says; 0 when it is not there
 * @throws ApiError requestTimeout when the client hangs up first
 * @throws ApiError tooLarge at once when more than `limitBytes` are announced, and as soon as more have come; that of the share
 *   when there is no room. The rest is read and dropped.
 */
export function collectBody(reply: Reply, limitBytes: number, share: Share, claimedBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] | undefined = []
    let sizeBytes = 0
    const refuse = (failure: ApiError): void => {
      chunks = undefined
      share.release()
      reject(failure)
    }
    reply.onAbort = () => refuse(new ApiError('requestTimeout'))
    reply.response.onData((chunk, isLast) => {
      if (!chunks) return
      sizeBytes += chunk.byteLength
      if (sizeBytes > limitBytes) return refuse(new ApiError('tooLarge'))
      const full = share.take(chunk.byteLength)
      if (full) return refuse(full)
      chunks.push(Buffer.from(new Uint8Array(chunk)))
      if (isLast) resolve(chunks.length === 1 ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks))
    })
    if (claimedBytes > limitBytes) refuse(new ApiError('tooLarge'))
  })
}
