import { sha256 } from '../keys/index.ts'
import { parseDictionary } from './dictionary.ts'
import { signatureError } from './signature_error.ts'

const SHA256_BYTES = 32
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/**
 * Compares the header Digest with the body.
 * @throws ApiError signatureInvalid
 */
export function checkDigest(header: string, body: Buffer): void {
  if (header === '') throw signatureError('Digest header missing')
  const digests = header.split(',').map(digest => {
    const [algorithm = '', ...value] = digest.split('=')
    return { algorithm: algorithm.trim(), value: value.join('=').trim() }
  })
  const received = digests.find(({ algorithm }) => algorithm.toLowerCase() === 'sha-256')?.value
  if (received === undefined) {
    const names = digests.map(({ algorithm }) => algorithm).join(', ')
    throw signatureError(`Mastodon only supports SHA-256 in Digest header. Offered algorithms: ${names}`)
  }
  const computed = sha256(body)
  if (received === computed) return
  const problem = 'Invalid Digest value. The provided Digest value is not a'
  if (!BASE64.test(received)) throw signatureError(`${problem} valid base64 string. Given digest: ${received}`)
  if (Buffer.from(received, 'base64').length !== SHA256_BYTES)
    throw signatureError(`${problem} SHA-256 digest. Given digest: ${received}`)
  throw signatureError(`Invalid Digest value. Computed SHA-256 digest: ${computed}; given: ${received}`)
}

/**
 * Compares the header Content-Digest (RFC 9530) with the body.
 * @throws ApiError signatureInvalid, signatureMalformed
 */
export function checkContentDigest(header: string, body: Buffer): void {
  if (header === '') throw signatureError('Content-Digest header missing')
  const digests = parseDictionary(header)
  if (!digests)
    throw signatureError('Content-Digest could not be parsed. It does not contain a valid RFC8941 dictionary.', 400)
  const received = digests.get('sha-256')
  if (received === undefined) {
    const names = [...digests.keys()].join(', ')
    throw signatureError(`Mastodon only supports SHA-256 in Content-Digest header. Offered algorithms: ${names}`)
  }
  const computed = sha256(body)
  if (received !== computed)
    throw signatureError(`Invalid Digest value. Computed SHA-256 digest: ${computed}; given: ${received}`)
}
