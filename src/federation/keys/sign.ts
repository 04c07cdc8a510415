import { createHash, sign, type KeyObject } from 'node:crypto'
import { promisify } from 'node:util'
import { createSemaphore } from '../../core/semaphore.ts'

/** In base64. */
export const sha256 = (body: Buffer | string): string => createHash('sha256').update(body).digest('base64')

/** The signer. */
export interface Signer {
  readonly keyId: string
  readonly privateKey: KeyObject
}

export type SignatureForm = 'cavage' | 'message'

const SYNCHRONIZATION = 'collection-synchronization'

interface Unsigned {
  readonly method: 'GET' | 'POST'
  readonly url: string
  /** Of a POST. */
  readonly body?: string
  readonly contentType?: string
  /** The header Collection-Synchronization. */
  readonly synchronization?: string | undefined
}

const signInPool = promisify(sign)
/**
 * A signature takes 0.35 ms, and the deliveries of one job would be signed one after the other,
 * while every request waits. One at a time leaves the other threads of the pool to files and names.
 */
const turns = createSemaphore(1)

/** The RSA signature of a text, in base64; made outside of the main thread. */
export const signText = (text: string, privateKey: KeyObject): Promise<string> =>
  turns.run(async () => (await signInPool('RSA-SHA256', Buffer.from(text), privateKey)).toString('base64'))

async function cavageHeaders(
  { method, url, body, contentType, synchronization }: Unsigned,
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
    ...(synchronization === undefined ? [] : ([[SYNCHRONIZATION, synchronization]] as [string, string][])),
  ]
  const text = lines.map(([name, value]) => `${name}: ${value}`).join('\n')
  const signature = await signText(text, signer.privateKey)
  const names = lines.map(([name]) => name).join(' ')
  return {
    date,
    ...(digest !== undefined && { digest }),
    ...(contentType !== undefined && { 'content-type': contentType }),
    ...(synchronization !== undefined && { [SYNCHRONIZATION]: synchronization }),
    signature: `keyId="${signer.keyId}",algorithm="rsa-sha256",headers="${names}",signature="${signature}"`,
  }
}

async function messageHeaders(
  { method, url, body, contentType, synchronization }: Unsigned,
  signer: Signer,
): Promise<Record<string, string>> {
  const digest = body === undefined ? undefined : `sha-256=:${sha256(body)}:`
  const hasSynchronization = synchronization !== undefined
  const extra = [
    ...(digest === undefined ? [] : ['"content-digest"']),
    ...(hasSynchronization ? [`"${SYNCHRONIZATION}"`] : []),
  ]
  const names = ['"@method"', '"@target-uri"', ...extra].join(' ')
  const created = Math.floor(Date.now() / 1000)
  const parameters = `(${names});created=${created};keyid="${signer.keyId}";alg="rsa-v1_5-sha256"`
  const lines = [
    `"@method": ${method}`,
    `"@target-uri": ${url}`,
    ...(digest === undefined ? [] : [`"content-digest": ${digest}`]),
    ...(hasSynchronization ? [`"${SYNCHRONIZATION}": ${synchronization}`] : []),
    `"@signature-params": ${parameters}`,
  ]
  return {
    ...(digest !== undefined && { 'content-digest': digest }),
    ...(contentType !== undefined && { 'content-type': contentType }),
    ...(hasSynchronization && { [SYNCHRONIZATION]: synchronization }),
    'signature-input': `sig1=${parameters}`,
    signature: `sig1=:${await signText(lines.join('\n'), signer.privateKey)}:`,
  }
}

/** The headers that sign a request; others may be added. */
export const signedHeaders = (
  request: Unsigned,
  signer: Signer,
  form: SignatureForm,
): Promise<Record<string, string>> =>
  form === 'cavage' ? cavageHeaders(request, signer) : messageHeaders(request, signer)
