import { createHash, verify, type KeyObject } from 'node:crypto'
import { fromBase58, isObject, listOf, textOf, type JsonObject } from '../protocol/index.ts'
import { canonicalJson } from './canonical_json.ts'

/** An object integrity proof (FEP-8b32). */
export interface Proof {
  readonly verificationMethod: string
  readonly created: string
  readonly expires: string | undefined
  matches(key: KeyObject): boolean
}

const SIGNATURE_BYTES = 64
const MAX_VALUE_CHARACTERS = 100

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Whether the proof's own context is a prefix of the document's context. */
function startsWithProofContext(document: JsonObject, proof: JsonObject): boolean {
  const [whole, own] = [listOf(document['@context']), listOf(proof['@context'])]
  return own.every((one, place) => canonicalJson(one) === canonicalJson(whole[place]))
}

/**
 * The `eddsa-jcs-2022` proof of a document; undefined when it has none. Node.js 22 does not support
 * `mldsa44-jcs-2024`.
 */
export function readProof(document: JsonObject): Proof | undefined {
  const { proof: proofs, signature: _, ...body } = document
  const proof = listOf(proofs).find(one => isObject(one) && one['cryptosuite'] === 'eddsa-jcs-2022')
  if (!isObject(proof) || proof['type'] !== 'DataIntegrityProof') return undefined
  const { proofValue, ...options } = proof
  const [verificationMethod, created, value] = [proof['verificationMethod'], proof['created'], proofValue].map(textOf)
  if (proof['proofPurpose'] !== 'assertionMethod' || verificationMethod === undefined || created === undefined)
    return undefined
  if (!value?.startsWith('z') || value.length > MAX_VALUE_CHARACTERS) return undefined
  const signature = fromBase58(value.slice(1))
  if (signature?.length !== SIGNATURE_BYTES) return undefined
  // Fedify signs the options with the document's context, whatever context the proof has.
  const forms = [
    ...(startsWithProofContext(document, proof) ? [options] : []),
    { ...options, '@context': document['@context'] },
  ]
  const content = digest(canonicalJson(body))
  return {
    verificationMethod,
    created,
    expires: textOf(proof['expires']),
    matches: key =>
      key.asymmetricKeyType === 'ed25519' &&
      forms.some(form => verify(null, Buffer.concat([digest(canonicalJson(form)), content]), key, signature)),
  }
}
