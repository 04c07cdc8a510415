import { KeyObject, verify } from 'node:crypto'
import type { PublicKey } from '../protocol/index.ts'
import { parseDictionary } from './dictionary.ts'
import { checkContentDigest } from './digest.ts'
import type { RequestSignature, SignedRequest } from './request_signature.ts'
import { signatureError } from './signature_error.ts'

/*
 * Signatures of RFC 9421, HTTP Message Signatures.
 */

const TOLERANCE_S = 3600
const DEFAULT_VALIDITY_S = 300
const MAX_VALIDITY_S = 12 * TOLERANCE_S
const MAX_HEADER_CHARACTERS = 8192

/** The first member of Signature-Input: an inner list with parameters (RFC 8941). */
const SIGNATURE_INPUT =
  /^\s*([a-z*][a-z0-9_.*-]*)=(\(([^()]*)\)((?:;[a-z*][a-z0-9_.*-]*(?:=(?:"[^"\\]*"|-?[0-9.]+|[A-Za-z*][^\s;,"()]*))?)*))\s*(?:,|$)/
const COMPONENT = /^"([a-z0-9@-]+)"$/
const PARAMETER = /;([a-z*][a-z0-9_.*-]*)(?:=(?:"([^"\\]*)"|([^;]*)))?/g

interface SignatureInput {
  readonly label: string
  /** The list with its parameters, as sent. */
  readonly text: string
  readonly components: readonly string[]
  readonly parameters: ReadonlyMap<string, string>
}

const malformed = () => signatureError('Error parsing signature parameters', 400)

/** @throws ApiError signatureMalformed */
function readInput(header: string): SignatureInput {
  if (header.length > MAX_HEADER_CHARACTERS) throw malformed()
  const [, label, text, list, parameterText = ''] = SIGNATURE_INPUT.exec(header) ?? []
  if (label === undefined || text === undefined || list === undefined) throw malformed()
  const components = list
    .split(/\s+/)
    .filter(part => part !== '')
    .map(part => {
      const name = COMPONENT.exec(part)?.[1]
      if (name === undefined) throw malformed()
      return name
    })
  const parameters = new Map(
    [...parameterText.matchAll(PARAMETER)].map(([, name = '', quoted, bare]) => [name, quoted ?? bare ?? '']),
  )
  return { label, text, components, parameters }
}

/** @throws ApiError signatureMalformed */
function readSignature(header: string, label: string): Buffer {
  const base64 = parseDictionary(header)?.get(label)
  if (base64 === undefined) throw malformed()
  return Buffer.from(base64, 'base64')
}

/** @throws ApiError signatureMalformed for a component that requests do not have */
function componentValue(component: string, request: SignedRequest): string {
  const url = new URL(request.url)
  switch (component) {
    case '@method':
      return request.method
    case '@target-uri':
      return request.url
    case '@authority':
      return url.host
    case '@scheme':
      return url.protocol.slice(0, -1)
    case '@request-target':
      return request.target
    case '@path':
      return url.pathname
    case '@query':
      return url.search === '' ? '?' : url.search
    default: {
      const value = request.headers.get(component)
      if (value === undefined) throw malformed()
      return value.trim()
    }
  }
}

/** @throws ApiError signatureInvalid */
function checkParameters({ parameters, components }: SignatureInput, method: string): void {
  const created = Number(parameters.get('created') ?? Number.NaN)
  const expires = Math.min(Number(parameters.get('expires') ?? created + DEFAULT_VALIDITY_S), created + MAX_VALIDITY_S)
  const now = Date.now() / 1000
  if (Number.isNaN(created)) throw signatureError('Mastodon requires the (created) parameter to be signed')
  if (!(created <= now + TOLERANCE_S && now <= expires + TOLERANCE_S))
    throw signatureError('Signed request date outside acceptable time window')
  if (!components.includes('@method') || !components.includes('@target-uri'))
    throw signatureError('Mastodon requires the @method and @target-uri derived components to be signed')
  if (method === 'POST' && !components.includes('content-digest'))
    throw signatureError('Mastodon requires the Content-Digest header to be signed when doing a POST request')
}

const ALGORITHMS = { rsa: 'rsa-v1_5-sha256', ed25519: 'ed25519' } as const

function verifySignature(key: PublicKey, algorithm: string | undefined, text: Buffer, signature: Buffer): boolean {
  if (!(key instanceof KeyObject)) return false
  const type = key.asymmetricKeyType
  if (type !== 'rsa' && type !== 'ed25519') return false
  if (algorithm !== undefined && algorithm !== ALGORITHMS[type]) return false
  return verify(type === 'rsa' ? 'RSA-SHA256' : null, text, key, signature)
}

/**
 * Reads the headers Signature-Input and Signature.
 * @throws ApiError signatureInvalid, signatureMalformed
 */
export function readRfc9421(request: SignedRequest): RequestSignature {
  const input = readInput(request.headers.get('signature-input') ?? '')
  const keyId = input.parameters.get('keyid') ?? ''
  if (keyId === '' || !input.parameters.has('created'))
    throw signatureError('Incompatible request signature. keyid and created are required')
  checkParameters(input, request.method)
  if (request.method === 'POST') checkContentDigest(request.headers.get('content-digest') ?? '', request.body)
  const signature = readSignature(request.headers.get('signature') ?? '', input.label)
  const lines = input.components.map(component => `"${component}": ${componentValue(component, request)}`)
  const text = Buffer.from([...lines, `"@signature-params": ${input.text}`].join('\n'))
  return { keyId, matches: key => verifySignature(key, input.parameters.get('alg'), text, signature) }
}
