import { createPublicKey, verify, type KeyObject } from 'node:crypto'
import { ApiError } from '../../core/errors.ts'
import type { Services } from '../../platform/services.ts'
import { findActorKey } from '../signatures/index.ts'
import { isObject, textOf, type JsonObject } from '../protocol/index.ts'
import { hasRefusedKeyword, readSigned } from './linked_data.ts'
import { readProof } from './proof.ts'

/** Canonization takes some milliseconds for 4 kB and blocks the event loop. */
const MAX_CHARACTERS = 128 * 1024
const TOLERANCE_MS = 3_600_000

/** Whether a document claims to be signed by RsaSignature2017. */
export function isLinkedDataSigned({ signature }: JsonObject): boolean {
  if (!isObject(signature) || signature['type'] !== 'RsaSignature2017') return false
  return [signature['creator'], signature['signatureValue']].every(member => typeof member === 'string')
}

/** Not from the future, and not expired. */
function isCurrent(created: unknown, expires: unknown): boolean {
  const [from, until] = [created, expires].map(time => Date.parse(textOf(time) ?? ''))
  const now = Date.now()
  if (from === undefined || !(from <= now + TOLERANCE_MS)) return false
  return expires === undefined || (until !== undefined && until >= now - TOLERANCE_MS)
}

/**
 * Whether a key of the actor verifies the signature. A stored key that fails is fetched once more.
 * @throws ApiError signatureUnchecked when its server gave no answer
 */
async function isKeyOf(
  services: Services,
  actor: string,
  keyId: string,
  matches: (key: KeyObject) => boolean,
): Promise<boolean> {
  try {
    for (const fresh of [false, true]) {
      const found = await findActorKey(services, keyId, `the author ${actor}`, fresh)
      if (found.key.owner !== actor) return false
      if (matches(createPublicKey(found.key.pem))) return true
      if (found.fresh) return false
    }
    return false
  } catch (error) {
    if (error instanceof ApiError && error.code !== 'signatureUnchecked') return false
    throw error
  }
}

async function byLinkedData(services: Services, given: JsonObject, actor: string): Promise<JsonObject | undefined> {
  const { signature, ...document } = given
  if (!isObject(signature) || !isLinkedDataSigned(given)) return undefined
  const { type: _type, id: _id, signatureValue, '@context': _context, ...options } = signature
  const creator = textOf(signature['creator']) ?? ''
  if (!isCurrent(signature['created'], signature['expires'])) return undefined
  const read = await readSigned(services, document, options).catch(() => undefined)
  if (!read) return undefined
  const [text, bytes] = [Buffer.from(read.text), Buffer.from(textOf(signatureValue) ?? '', 'base64')]
  const matches = (key: KeyObject): boolean => key.asymmetricKeyType === 'rsa' && verify('RSA-SHA256', text, key, bytes)
  return (await isKeyOf(services, actor, creator, matches)) ? read.document : undefined
}

async function byProof(services: Services, given: JsonObject, actor: string): Promise<JsonObject | undefined> {
  const proof = readProof(given)
  if (!proof || !isCurrent(proof.created, proof.expires)) return undefined
  const { proof: _, signature: _signature, ...document } = given
  return (await isKeyOf(services, actor, proof.method, proof.matches)) ? document : undefined
}

/**
 * A document as the actor has signed it, with no more members than the signature covers. Undefined
 * when no signature inside is the actor's.
 * @throws ApiError signatureUnchecked when the actor's server gave no answer
 */
export async function signedDocument(
  services: Services,
  given: JsonObject,
  actor: string,
): Promise<JsonObject | undefined> {
  if (actor.startsWith(`${services.config.publicUrl}/`)) return undefined
  if (hasRefusedKeyword(given) || JSON.stringify(given).length > MAX_CHARACTERS) return undefined
  return (await byProof(services, given, actor)) ?? (await byLinkedData(services, given, actor))
}
