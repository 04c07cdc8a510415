import { KeyObject, verify } from 'node:crypto'
import { checkDigest } from './digest.ts'
import type { RequestSignature, SignedRequest } from './request_signature.ts'
import { signatureError } from './signature_error.ts'

/*
 * Signatures of draft-cavage-http-signatures-12, which nearly all servers send.
 */

const HOUR_S = 3600
const DEFAULT_VALIDITY_S = 300
const MAX_VALIDITY_S = 12 * HOUR_S
const TOLERANCE_S = HOUR_S
/** A name, and a quoted text or a token (RFC 9110). */
const PARAMETER = /\s*([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"([^"]*)"|([\w!#$%&'*+.^`|~-]+))\s*(?:,|$)/y
/** Old releases of node-http-signature write the name of the scheme first. */
const SCHEME = /^Signature\s+/

type Parameters = ReadonlyMap<string, string>

/** @throws ApiError signatureInvalid */
function readParameters(text: string): Parameters {
  const header = text.replace(SCHEME, '')
  const parameters = new Map<string, string>()
  PARAMETER.lastIndex = 0
  while (PARAMETER.lastIndex < header.length) {
    const [, name, quoted, token] = PARAMETER.exec(header) ?? []
    if (name === undefined) throw signatureError('Error parsing signature parameters')
    if (parameters.has(name)) throw signatureError('Error parsing signature with duplicate keys')
    parameters.set(name, quoted ?? token ?? '')
  }
  return parameters
}

function checkValidity(parameters: Parameters, signed: readonly string[], headers: SignedRequest['headers']): void {
  const date = headers.get('date')
  const created = signed.includes('(created)') ? Number(parameters.get('created')) : parseDate(date)
  const expires = signed.includes('(expires)') ? Number(parameters.get('expires')) : created + DEFAULT_VALIDITY_S
  const end = Math.min(expires, created + MAX_VALIDITY_S)
  const now = Date.now() / 1000
  if (!(created <= now + TOLERANCE_S && now <= end + TOLERANCE_S))
    throw signatureError('Signed request date outside acceptable time window')
}

/** The time of the header Date in seconds since the epoch; NaN without the header. */
function parseDate(header: string | undefined): number {
  if (header === undefined) return Number.NaN
  const ms = Date.parse(header)
  if (Number.isNaN(ms)) throw signatureError(`Invalid Date header: ${header}`)
  return ms / 1000
}

/** @throws ApiError signatureInvalid if too little of the request is signed */
function checkSignedHeaders(signed: readonly string[], method: string): void {
  const lacks = (...alternatives: string[]): boolean => !alternatives.some(name => signed.includes(name))
  const header = 'header to be signed when doing a'
  if (lacks('date', '(created)'))
    throw signatureError('Mastodon requires the Date header or (created) pseudo-header to be signed')
  if (lacks('(request-target)', 'digest'))
    throw signatureError('Mastodon requires the Digest header or (request-target) pseudo-header to be signed')
  if (method !== 'POST' && lacks('host')) throw signatureError(`Mastodon requires the Host ${header} GET request`)
  if (method === 'POST' && lacks('digest')) throw signatureError(`Mastodon requires the Digest ${header} POST request`)
}

function pseudoHeaderValue(name: 'created' | 'expires', parameters: Parameters): string {
  if (parameters.get('algorithm') === 'rsa-sha256')
    throw signatureError(`Invalid pseudo-header (${name}) for rsa-sha256`)
  const value = parameters.get(name)
  if (value === undefined) throw signatureError(`Pseudo-header (${name}) used but corresponding argument missing`)
  return value
}

/** The signing string, with `target` as the target of the request. */
function signedText(signed: readonly string[], parameters: Parameters, request: SignedRequest, target: string): string {
  const lines = signed.map(name => {
    if (name === '(request-target)') return `${name}: ${request.method.toLowerCase()} ${target}`
    if (name === '(created)') return `${name}: ${pseudoHeaderValue('created', parameters)}`
    if (name === '(expires)') return `${name}: ${pseudoHeaderValue('expires', parameters)}`
    return `${name}: ${request.headers.get(name) ?? ''}`
  })
  return lines.join('\n')
}

/** Reads the header Signature. @throws ApiError signatureInvalid */
export function readCavage(request: SignedRequest): RequestSignature {
  const parameters = readParameters(request.headers.get('signature') ?? '')
  const [keyId, signature] = [parameters.get('keyId') ?? '', parameters.get('signature') ?? '']
  if (keyId === '' || signature === '')
    throw signatureError('Incompatible request signature. keyId and signature are required')
  const algorithm = parameters.get('algorithm') ?? 'hs2019'
  if (algorithm !== 'hs2019' && algorithm !== 'rsa-sha256')
    throw signatureError('Unsupported signature algorithm (only rsa-sha256 and hs2019 are supported)')
  const headerNames = parameters.get('headers') ?? (algorithm === 'hs2019' ? '(created)' : 'date')
  const signed = headerNames.toLowerCase().split(/\s+/)
  // Some servers sign the target without the query.
  const targets = new Set([request.target, request.target.split('?', 1)[0] ?? ''])
  const texts = [...targets].map(target => signedText(signed, parameters, request, target))
  checkValidity(parameters, signed, request.headers)
  checkSignedHeaders(signed, request.method)
  if (request.method === 'POST') checkDigest(request.headers.get('digest') ?? '', request.body)
  const bytes = Buffer.from(signature, 'base64')
  return {
    keyId,
    matches: key =>
      key instanceof KeyObject &&
      key.asymmetricKeyType === 'rsa' &&
      texts.some(text => verify('RSA-SHA256', Buffer.from(text), key, bytes)),
  }
}
