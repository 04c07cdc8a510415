import { sha256 } from '../keys/index.ts'
import { signatureError } from './signature_error.ts'

const DIGEST_BYTES = 32
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/

/**
 * Compares the header Digest with the body.
 * @throws ApiError signatureInvalid
 */
export function checkDigest(header: string, body: Buffer): void {
  if (header === '') throw signatureError('Digest header missing')
  const offers = header.split(',').map(offer => {
    const [, algorithm = offer, value = ''] = /^\s*([^=]+)=(.*?)\s*$/.exec(offer) ?? []
    return { algorithm: algorithm.trim(), value }
  })
  const given = offers.find(({ algorithm }) => algorithm.toLowerCase() === 'sha-256')?.value
  if (given === undefined) {
    const names = offers.map(({ algorithm }) => algorithm).join(', ')
    throw signatureError(`Mastodon only supports SHA-256 in Digest header. Offered algorithms: ${names}`)
  }
  const computed = sha256(body)
  if (given === computed) return
  const problem = 'Invalid Digest value. The provided Digest value is not a'
  if (!BASE64.test(given)) throw signatureError(`${problem} valid base64 string. Given digest: ${given}`)
  if (Buffer.from(given, 'base64').length !== DIGEST_BYTES)
    throw signatureError(`${problem} SHA-256 digest. Given digest: ${given}`)
  throw signatureError(`Invalid Digest value. Computed SHA-256 digest: ${computed}; given: ${given}`)
}

const ENTRY = /^\s*([a-z*][a-z0-9_.*-]*)=:([A-Za-z0-9+/=]*):\s*$/

/**
 * Compares the header Content-Digest (RFC 9530) with the body.
 * @throws ApiError signatureInvalid, signatureMalformed
 */
export function checkContentDigest(header: string, body: Buffer): void {
  if (header === '') throw signatureError('Content-Digest header missing')
  const offers = header.split(',').map(offer => ENTRY.exec(offer))
  if (offers.includes(null))
    throw signatureError('Content-Digest could not be parsed. It does not contain a valid RFC8941 dictionary.', 400)
  const given = offers.find(offer => offer?.[1] === 'sha-256')?.[2]
  if (given === undefined) {
    const names = offers.map(offer => offer?.[1]).join(', ')
    throw signatureError(`Mastodon only supports SHA-256 in Content-Digest header. Offered algorithms: ${names}`)
  }
  const computed = sha256(body)
  if (given !== computed)
    throw signatureError(`Invalid Digest value. Computed SHA-256 digest: ${computed}; given: ${given}`)
}
