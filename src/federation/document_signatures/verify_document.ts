import { KeyObject, verify } from 'node:crypto'
import { ApiError } from '../../core/errors.ts'
import type { Services } from '../../platform/services.ts'
import { findKey } from '../http_signatures/index.ts'
import { ignoreOutgoingFailure } from '../fetch/index.ts'
import { isObject, textOf, timeInMs, type JsonObject, type PublicKey } from '../protocol/index.ts'
import { isTooComplex } from './complexity.ts'
import { contextLoaders } from './contexts.ts'
import { hasRefusedKeyword, readSignedDocument, type SignatureOptions, type SignedParts } from './linked_data.ts'
import { readProofs } from './proof.ts'
import { readingBudget, type Deliverer } from './reading_budget.ts'

/** Canonization takes some milliseconds for 4 kB and blocks the event loop. */
const MAX_CHARACTERS = 128 * 1024
const TOLERANCE_MS = 3_600_000

/** Whether a document claims to be signed by RsaSignature2017. */
export function isLinkedDataSigned({ signature }: JsonObject): boolean {
  if (!isObject(signature) || signature['type'] !== 'RsaSignature2017') return false
  return [signature['creator'], signature['signatureValue']].every(member => typeof member === 'string')
}

/** Whether a signature is valid now: not created in the future, and not expired. */
function isCurrent(created: unknown, expires: unknown): boolean {
  const [from, until] = [created, expires].map(timeInMs)
  const now = Date.now()
  if (from === undefined || !(from <= now + TOLERANCE_MS)) return false
  return expires === undefined || (until !== undefined && until >= now - TOLERANCE_MS)
}

/**
 * Whether a key of the actor verifies the signature. If the stored key fails, it is fetched again,
 * once.
 * @throws ApiError signatureUnchecked when the key's server gave no answer
 */
async function isSignedByActor(
  services: Services,
  actor: string,
  keyId: string,
  matches: (key: PublicKey) => Promise<boolean> | boolean,
): Promise<boolean> {
  try {
    for (const refetch of [false, true]) {
      const found = await findKey(services, keyId, `the author ${actor}`, refetch)
      if (found.key.owner !== actor) return false
      if (await matches(found.key.publicKey)) return true
      if (found.failure) throw found.failure
      if (found.fresh) return false
    }
    return false
  } catch (error) {
    if (error instanceof ApiError && error.code !== 'signatureUnchecked') return false
    throw error
  }
}

/**
 * Reads a document within the budget of who delivered it; undefined if it is invalid.
 * @throws ApiError signatureUnchecked when the budget is spent
 */
async function readWithinBudget(
  services: Services,
  document: JsonObject,
  options: SignatureOptions,
  deliverer: Deliverer,
): Promise<SignedParts | undefined> {
  const budget = readingBudget(services)
  budget.requireTime(deliverer)
  const loader = await ignoreOutgoingFailure(contextLoaders(services).loaderFor(document, deliverer.host))
  return loader && budget.run(deliverer, () => readSignedDocument(document, options, loader).catch(() => undefined))
}

async function verifyLinkedData(
  services: Services,
  signed: JsonObject,
  actor: string,
  deliverer: Deliverer,
): Promise<JsonObject | undefined> {
  const { signature, ...document } = signed
  if (!isObject(signature) || !isLinkedDataSigned(signed)) return undefined
  const { type: _type, id: _id, signatureValue, '@context': _context, ...options } = signature
  const creator = textOf(signature['creator']) ?? ''
  if (!isCurrent(signature['created'], signature['expires'])) return undefined
  if (isTooComplex(signed)) return undefined
  let reading: Promise<SignedParts | undefined> | undefined
  // The document is read only if the key is the actor's.
  const matches = async (key: PublicKey): Promise<boolean> => {
    if (!(key instanceof KeyObject) || key.asymmetricKeyType !== 'rsa') return false
    const read = await (reading ??= readWithinBudget(services, document, options, deliverer))
    const bytes = Buffer.from(textOf(signatureValue) ?? '', 'base64')
    return read !== undefined && verify('RSA-SHA256', Buffer.from(read.text), key, bytes)
  }
  return (await isSignedByActor(services, actor, creator, matches)) ? (await reading)?.document : undefined
}

async function verifyProof(services: Services, signed: JsonObject, actor: string): Promise<JsonObject | undefined> {
  const { proof: _, signature: _signature, ...document } = signed
  for (const { verificationMethod, created, expires, matches } of readProofs(signed))
    if (isCurrent(created, expires) && (await isSignedByActor(services, actor, verificationMethod, matches)))
      return document
  return undefined
}

/**
 * Verifies the signature inside a document.
 * @param deliverer who delivered it, and whose budget of time its reading uses
 * @returns the members that the signature covers; undefined when the document contains no valid
 *   signature of the actor
 * @throws ApiError signatureUnchecked when the actor's server gave no answer or the budget is spent
 */
export async function verifyDocument(
  services: Services,
  signed: JsonObject,
  actor: string,
  deliverer: Deliverer,
): Promise<JsonObject | undefined> {
  if (actor.startsWith(`${services.config.publicUrl}/`)) return undefined
  if (hasRefusedKeyword(signed) || JSON.stringify(signed).length > MAX_CHARACTERS) return undefined
  return (await verifyProof(services, signed, actor)) ?? (await verifyLinkedData(services, signed, actor, deliverer))
}
