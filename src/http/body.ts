import { Failure } from '../failure.ts'
import type { Reply } from './respond.ts'

/**
 * Collects a request's body. The chunks that uWebSockets.js hands over are taken back after the callback, so they are copied.
 * Must be called before the first await of the handler.
 * @throws Failure requestTimeout when the client hangs up first
 * @throws Failure tooLarge as soon as more than `limitBytes` have come; the rest is read and dropped
 */
export function collectBody(reply: Reply, limitBytes: number): Promise<Buffer> {
  const { response } = reply
  return new Promise((resolve, reject) => {
    reply.onAbort = () => reject(new Failure('requestTimeout'))
    const chunks: Buffer[] = []
    let sizeBytes = 0
    response.onData((chunk, isLast) => {
      sizeBytes += chunk.byteLength
      if (sizeBytes > limitBytes) {
        chunks.length = 0
        reject(new Failure('tooLarge'))
        return
      }
      const last = chunks.length === 0 && isLast
      chunks.push(Buffer.from(new Uint8Array(chunk)))
      if (isLast) resolve(last ? (chunks[0] ?? Buffer.alloc(0)) : Buffer.concat(chunks, sizeBytes))
    })
  })
}
