import { createHash, sign, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { createSemaphore } from '../../core/semaphore.ts'

/** The SHA-256 digest in base64. */
export const sha256 = (body: Buffer | string): string => createHash('sha256').update(body).digest('base64')

/** The id and the private key of an actor that signs. */
export interface Signer {
  readonly keyId: string
  readonly privateKey: KeyObject
}

export type SignatureScheme = 'cavage' | 'rfc9421'

const SYNCHRONIZATION_HEADER = 'collection-synchronization'

interface UnsignedRequest {
  readonly method: 'GET' | 'POST'
  readonly url: string
  /** The body of a POST. */
  readonly body?: string
  readonly contentType?: string
  /** The header Collection-Synchronization. */
  readonly synchronization?: string | undefined
}

const signInThreadPool = promisify(sign)
/**
 * A signature takes 0.35 ms; on the main thread the signatures of one job's deliveries would delay
 * every request. One at a time leaves the other threads of the pool to files and DNS.
 */
const semaphore = createSemaphore(1)

/** Computes the RSA signature of a text in base64, outside the main thread. */
export const signText = (text: string, privateKey: KeyObject): Promise<string> =>
  semaphore.run(async () => (await signInThreadPool('RSA-SHA256', Buffer.from(text), privateKey)).toString('base64'))

async function cavageHeaders(
  { method, url, body, contentType, synchronization }: UnsignedRequest,
  signer: Signer,
): Promise<Record<string, string>> {
  const { host, pathname, search } = new URL(url)
  const date = new Date().toUTCString()
  const digest = body === undefined ? undefined : `SHA-256=${sha256(body)}`
  const lines: [name: string, value: string][] = [
    ['(request-target)', `${method.toLowerCase()} ${pathname}${search}`],
    ['host', host],
    ['date', date],
    ...(digest === undefined ? [] : ([['digest', digest]] as [string, string][])),
    ...(contentType === undefined ? [] : ([['content-type', contentType]] as [string, string][])),
    ...(synchronization === undefined ? [] : ([[SYNCHRONIZATION_HEADER, synchronization]] as [string, string][])),
  ]
  const text = lines.map(([name, value]) => `${name}: ${value}`).join('\n')
  const signature = await signText(text, signer.privateKey)
  const names = lines.map(([name]) => name).join(' ')
  return {
    date,
    ...(digest !== undefined && { digest }),
    ...(contentType !== undefined && { 'content-type': contentType }),
    ...(synchronization !== undefined && { [SYNCHRONIZATION_HEADER]: synchronization }),
    signature: `keyId="${signer.keyId}",algorithm="rsa-sha256",headers="${names}",signature="${signature}"`,
  }
}

/** A URL as its receiver sees it: normalised, without a fragment. */
function targetUri(url: string): string {
  const target = new URL(url)
  target.hash = ''
  return target.href
}

async function rfc9421Headers(
  { method, url, body, contentType, synchronization }: UnsignedRequest,
  signer: Signer,
): Promise<Record<string, string>> {
  const digest = body === undefined ? undefined : `sha-256=:${sha256(body)}:`
  const hasSynchronization = synchronization !== undefined
  const extra = [
    ...(digest === undefined ? [] : ['"content-digest"']),
    ...(hasSynchronization ? [`"${SYNCHRONIZATION_HEADER}"`] : []),
  ]
  const names = ['"@method"', '"@target-uri"', ...extra].join(' ')
  const created = Math.floor(Date.now() / 1000)
  const parameters = `(${names});created=${created};keyid="${signer.keyId}";alg="rsa-v1_5-sha256"`
  const lines = [
    `"@method": ${method}`,
    `"@target-uri": ${targetUri(url)}`,
    ...(digest === undefined ? [] : [`"content-digest": ${digest}`]),
    ...(hasSynchronization ? [`"${SYNCHRONIZATION_HEADER}": ${synchronization}`] : []),
    `"@signature-params": ${parameters}`,
  ]
  return {
    ...(digest !== undefined && { 'content-digest': digest }),
    ...(contentType !== undefined && { 'content-type': contentType }),
    ...(hasSynchronization && { [SYNCHRONIZATION_HEADER]: synchronization }),
    'signature-input': `sig1=${parameters}`,
    signature: `sig1=:${await signText(lines.join('\n'), signer.privateKey)}:`,
  }
}

/** The headers to send for a signed request; unsigned ones may be added. */
export const signedHeaders = (
  request: UnsignedRequest,
  signer: Signer,
  scheme: SignatureScheme,
): Promise<Record<string, string>> =>
  scheme === 'cavage' ? cavageHeaders(request, signer) : rfc9421Headers(request, signer)
