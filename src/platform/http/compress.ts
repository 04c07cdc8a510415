import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** Smaller bodies hardly save a packet when compressed. */
export const COMPRESSED_FROM_BYTES = 1400
const brotli = promisify(brotliCompress)
const gzipped = promisify(gzip)

const COMPRESSIBLE = /^(?:application\/(?:json|activity\+json|jrd\+json|xml)|text\/(?!event-stream))/

export type Encoding = 'br' | 'gzip'

/** Whether a body is compressed for clients that accept it. */
export const isCompressed = (type: string, sizeBytes: number): boolean =>
  sizeBytes >= COMPRESSED_FROM_BYTES && COMPRESSIBLE.test(type)

/** The encoding of the response, or undefined for none. */
export function chooseEncoding(acceptEncoding: string, type: string, sizeBytes: number): Encoding | undefined {
  if (acceptEncoding === '' || !isCompressed(type, sizeBytes)) return undefined
  const accepted = new Map<string, number>()
  for (const part of acceptEncoding.toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map(word => word.trim())
    const q = parameters.find(parameter => parameter.startsWith('q='))
    accepted.set(name, q === undefined ? 1 : Number(q.slice(2)) || 0)
  }
  const quality = (name: string): number => accepted.get(name) ?? accepted.get('*') ?? 0
  if (quality('br') > 0 && quality('br') >= quality('gzip')) return 'br'
  return quality('gzip') > 0 ? 'gzip' : undefined
}

/**
 * Compresses a body in libuv's threads; brotli's quality 4 costs a third of gzip's default and
 * compresses better.
 */
export const compress = (body: string | Buffer, encoding: Encoding): Promise<Buffer> =>
  encoding === 'br' ? brotli(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }) : gzipped(body, { level: 5 })
