import { Worker } from 'node:worker_threads'
import type { Size } from '../size.ts'

/** Upright pixels in rows: red, green, blue and alpha, a byte each. */
export interface Pixels extends Size {
  readonly data: Uint8ClampedArray
}

const TIMEOUT_MS = 30_000
/** For the decoder's heap; pixels are outside of it. */
const MAX_MEMORY_MB = 512

const isPixels = (message: unknown): message is Pixels =>
  typeof message === 'object' &&
  message !== null &&
  'width' in message &&
  'height' in message &&
  'data' in message &&
  typeof message.width === 'number' &&
  typeof message.height === 'number' &&
  message.data instanceof Uint8ClampedArray

/**
 * The pixels of a HEIC picture. sharp's own libheif has no decoder for it, because of licences and
 * patents.
 * @throws Error when it cannot be decoded in time, or has too many pixels
 */
export function decodeHeic(bytes: Uint8Array, maxPixels: number): Promise<Pixels> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(new URL('worker.ts', import.meta.url), {
      workerData: { bytes: Uint8Array.from(bytes), maxPixels },
      resourceLimits: { maxOldGenerationSizeMb: MAX_MEMORY_MB },
      stderr: true,
      stdout: true,
    })
    const timeout = setTimeout(() => end(new Error('decoding timed out')), TIMEOUT_MS)
    const end = (outcome: Pixels | Error): void => {
      clearTimeout(timeout)
      void worker.terminate()
      if (outcome instanceof Error) reject(outcome)
      else resolve(outcome)
    }
    worker.once('message', (message: unknown) =>
      end(isPixels(message) ? message : new Error('the decoder returned no pixels')),
    )
    worker.once('error', (error: unknown) => end(error instanceof Error ? error : new Error(String(error))))
    worker.once('exit', () => end(new Error('the decoder exited')))
  })
}
