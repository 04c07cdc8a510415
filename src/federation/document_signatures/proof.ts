import { createHash, KeyObject, verify } from 'node:crypto'
import {
  fromMultibase,
  isObject,
  listOf,
  MlDsaKey,
  textOf,
  type JsonObject,
  type PublicKey,
} from '../protocol/index.ts'
import { canonicalJson } from './canonical_json.ts'

/** An object integrity proof (FEP-8b32). */
export interface Proof {
  readonly verificationMethod: string
  readonly created: string
  readonly expires: string | undefined
  matches(key: PublicKey): Promise<boolean>
}

interface Cryptosuite {
  /** The prefix of the encoding of signatures. */
  readonly multibase: 'z' | 'u'
  readonly signatureBytes: number
  verify(key: PublicKey, text: Buffer, signature: Buffer): Promise<boolean>
}

const CRYPTOSUITES: ReadonlyMap<string, Cryptosuite> = new Map<string, Cryptosuite>([
  [
    // Data Integrity EdDSA Cryptosuites v1.0.
    'eddsa-jcs-2022',
    {
      multibase: 'z',
      signatureBytes: 64,
      verify: async (key, text, signature) =>
        key instanceof KeyObject && key.asymmetricKeyType === 'ed25519' && verify(null, text, key, signature),
    },
  ],
  [
    // Quantum-Safe Cryptosuites v0.3.
    'mldsa44-jcs-2024',
    {
      multibase: 'u',
      signatureBytes: 2420,
      verify: async (key, text, signature) => key instanceof MlDsaKey && key.verify(text, signature),
    },
  ],
])

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Whether the proof's own context is a prefix of the document's context. */
function startsWithProofContext(document: JsonObject, proof: JsonObject): boolean {
  const [whole, own] = [listOf(document['@context']), listOf(proof['@context'])]
  return own.every((one, place) => canonicalJson(one) === canonicalJson(whole[place]))
}

/** The proofs of a document by supported cryptosuites, at most one by each. */
export function readProofs(document: JsonObject): Proof[] {
  const { proof: proofs, signature: _, ...body } = document
  const given = listOf(proofs).filter(isObject)
  return [...CRYPTOSUITES].flatMap(([name, suite]) => {
    const proof = given.find(one => one['cryptosuite'] === name)
    return (proof && readProof({ document, body, proof, suite })) ?? []
  })
}

interface GivenProof {
  readonly document: JsonObject
  /** The document without its proofs. */
  readonly body: JsonObject
  readonly proof: JsonObject
  readonly suite: Cryptosuite
}

function readProof({ document, body, proof, suite }: GivenProof): Proof | undefined {
  if (proof['type'] !== 'DataIntegrityProof') return undefined
  const { proofValue, ...options } = proof
  const [verificationMethod, created, value] = [proof['verificationMethod'], proof['created'], proofValue].map(textOf)
  if (proof['proofPurpose'] !== 'assertionMethod' || verificationMethod === undefined || created === undefined)
    return undefined
  const signature = value?.startsWith(suite.multibase) ? fromMultibase(value) : undefined
  if (signature?.length !== suite.signatureBytes) return undefined
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
    async matches(key) {
      for (const form of forms) {
        const text = Buffer.concat([digest(canonicalJson(form)), content])
        if (await suite.verify(key, text, signature)) return true
      }
      return false
    },
  }
}
