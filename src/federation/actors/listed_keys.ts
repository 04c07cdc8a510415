import { createPublicKey } from 'node:crypto'
import {
  fromMultibase,
  isObject,
  isStorableUri,
  listOf,
  ML_DSA_KEY_BYTES,
  MlDsaKey,
  textOf,
  timeInMs,
  type JsonObject,
} from '../protocol/index.ts'

/** A key that an actor document lists as its own. */
export interface ListedKey {
  readonly id: string
  readonly pem: string
  /** Why the key is no longer valid; undefined while it is. */
  readonly endedBy: 'revoked' | 'expired' | undefined
}

/** Of a document: reading a key takes time, and verifying with a large one even more. */
const MAX_KEYS = 10
const MAX_PEM_CHARACTERS = 8192
const MAX_RSA_BITS = 8192
/** The multicodec prefixes of public keys in a Multikey. */
const ED25519_PREFIX = Buffer.from([0xed, 0x01])
const ML_DSA_44_PREFIX = Buffer.from([0x90, 0x24])
/** The first bytes of a SubjectPublicKeyInfo with an Ed25519 key (RFC 8410). */
const SPKI_ED25519_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')
const ED25519_BYTES = 32

/**
 * Converts a Multikey (FEP-521a) for Ed25519 or ML-DSA-44 to PEM; undefined for other keys.
 * ML-DSA-44: Quantum-Safe Cryptosuites v0.3, section "Multikey".
 */
function multikeyToPem(multibase: string): string | undefined {
  const bytes = fromMultibase(multibase)
  const [prefix, key] = [bytes?.subarray(0, 2), bytes?.subarray(2)]
  if (!prefix || !key) return undefined
  if (prefix.equals(ED25519_PREFIX) && key.length === ED25519_BYTES)
    return toPem(Buffer.concat([SPKI_ED25519_PREFIX, key]))
  return prefix.equals(ML_DSA_44_PREFIX) && key.length === ML_DSA_KEY_BYTES ? new MlDsaKey(key).toPem() : undefined
}

/**
 * Converts a PEM or DER public key to PEM; undefined unless it is a valid RSA or Ed25519 key of a
 * usual size.
 */
function toPem(encoded: string | Buffer): string | undefined {
  if (encoded.length > MAX_PEM_CHARACTERS) return undefined
  try {
    const key =
      typeof encoded === 'string'
        ? createPublicKey(encoded)
        : createPublicKey({ key: encoded, format: 'der', type: 'spki' })
    if (key.asymmetricKeyType !== 'rsa' && key.asymmetricKeyType !== 'ed25519') return undefined
    if ((key.asymmetricKeyDetails?.modulusLength ?? 0) > MAX_RSA_BITS) return undefined
    return key.export({ type: 'spki', format: 'pem' }).toString()
  } catch {
    return undefined
  }
}

/**
 * The keys that an actor document lists in `publicKey` and in `assertionMethod` (FEP-521a) with the
 * actor as their owner; only the first ten are read.
 */
export function readKeys(document: JsonObject): ListedKey[] {
  const actor = textOf(document['id'])
  const keysOf = (member: string, ownerMember: string): JsonObject[] =>
    listOf(document[member])
      .filter(isObject)
      .filter(key => textOf(key[ownerMember]) === actor)
  const keys = keysOf('publicKey', 'owner').slice(0, MAX_KEYS)
  const multikeys = keysOf('assertionMethod', 'controller').slice(0, MAX_KEYS - keys.length)
  return [
    ...keys.flatMap(key => listed(key, toPem(textOf(key['publicKeyPem']) ?? ''))),
    ...multikeys.flatMap(key => listed(key, multikeyToPem(textOf(key['publicKeyMultibase']) ?? ''))),
  ]
}

/** Whether a time is in the past; an invalid time counts as past. */
const isPast = (time: unknown): boolean => textOf(time) !== undefined && !(timeInMs(time) > Date.now())

function listed(key: JsonObject, pem: string | undefined): ListedKey[] {
  const id = textOf(key['id'])
  if (id === undefined || !isStorableUri(id) || pem === undefined) return []
  return [{ id, pem, endedBy: isPast(key['revoked']) ? 'revoked' : isPast(key['expires']) ? 'expired' : undefined }]
}
