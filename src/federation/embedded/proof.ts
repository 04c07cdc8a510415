import { createHash, verify, type KeyObject } from 'node:crypto'
import { fromBase58, isObject, listOf, textOf, type JsonObject } from '../protocol/index.ts'
import { canonicalJson } from './canonical_json.ts'

/** An object integrity proof (FEP-8b32). */
export interface Proof {
  readonly method: string
  readonly created: string
  readonly expires: string | undefined
  matches(key: KeyObject): boolean
}

const SIGNATURE_BYTES = 64
const MAX_VALUE_CHARACTERS = 100

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** A context of its own is the beginning of the document's. */
function begins(document: JsonObject, proof: JsonObject): boolean {
  const [whole, own] = [listOf(document['@context']), listOf(proof['@context'])]
  return own.every((one, place) => canonicalJson(one) === canonicalJson(whole[place]))
}

/**
 * The proof of a document by `eddsa-jcs-2022`, if it has one. `mldsa44-jcs-2024` is not known to
 * the cryptography of Node.js 22.
 */
export function readProof(document: JsonObject): Proof | undefined {
  const { proof: given, signature: _, ...body } = document
  const proof = listOf(given).find(one => isObject(one) && one['cryptosuite'] === 'eddsa-jcs-2022')
  if (!isObject(proof) || proof['type'] !== 'DataIntegrityProof') return undefined
  const { proofValue, ...options } = proof
  const [method, created, value] = [proof['verificationMethod'], proof['created'], proofValue].map(textOf)
  if (proof['proofPurpose'] !== 'assertionMethod' || method === undefined || created === undefined) return undefined
  if (!value?.startsWith('z') || value.length > MAX_VALUE_CHARACTERS) return undefined
  const signature = fromBase58(value.slice(1))
  if (signature?.length !== SIGNATURE_BYTES) return undefined
  // Fedify signs the options with the context of the document, whatever context the proof shows.
  const forms = [...(begins(document, proof) ? [options] : []), { ...options, '@context': document['@context'] }]
  const content = digest(canonicalJson(body))
  return {
    method,
    created,
    expires: textOf(proof['expires']),
    matches: key =>
      key.asymmetricKeyType === 'ed25519' &&
      forms.some(form => verify(null, Buffer.concat([digest(canonicalJson(form)), content]), key, signature)),
  }
}
