import { parentPort, workerData } from 'node:worker_threads'
import decode from 'heic-decode'

/**
 * Runs in a thread, because decoding takes a second or two in which the server must serve sockets.
 */

const { bytes, maxPixels } = workerData as { bytes: Uint8Array<ArrayBuffer>; maxPixels: number }
// A file may have several pictures, and the first need not be the one whose size was checked.
const [image] = await decode.all({ buffer: bytes })
// The types omit the size, which exists at run time.
const pixels =
  image && 'width' in image && 'height' in image ? Number(image.width) * Number(image.height) : Number.POSITIVE_INFINITY
if (!image || !(pixels <= maxPixels)) throw new Error('the file has no picture, or one that is too large')
const { width, height, data } = await image.decode()
parentPort?.postMessage({ width, height, data }, [data.buffer as ArrayBuffer])
