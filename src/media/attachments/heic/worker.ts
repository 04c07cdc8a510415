import { parentPort, workerData } from 'node:worker_threads'
import decode from 'heic-decode'

/* A thread of its own: decoding takes a second or two, in which the server has sockets to serve. */

const { bytes, mostPixels } = workerData as { bytes: Uint8Array<ArrayBuffer>; mostPixels: number }
// There may be several, of which that of the file's head, whose size has been looked at, need not be the first.
const [image] = await decode.all({ buffer: bytes })
// Its types leave out the size, which it has.
const pixels =
  image && 'width' in image && 'height' in image ? Number(image.width) * Number(image.height) : Number.POSITIVE_INFINITY
if (!image || !(pixels <= mostPixels)) throw new Error('no picture, or one that is too large')
const { width, height, data } = await image.decode()
parentPort?.postMessage({ width, height, data }, [data.buffer as ArrayBuffer])
