import { parentPort, workerData } from 'node:worker_threads'
import decode from 'heic-decode'

/* A thread of its own: decoding takes a second or two, in which the server has sockets to serve. */

const { width, height, data } = await decode({ buffer: workerData as Uint8Array<ArrayBuffer> })
parentPort?.postMessage({ width, height, data }, [data.buffer as ArrayBuffer])
