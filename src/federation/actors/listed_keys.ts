import { createPublicKey } from 'node:crypto'
import { fromBase58, isObject, listOf, textOf, type JsonObject } from '../protocol/index.ts'

/** A key that an actor document lists as its own. */
export interface ListedKey {
  readonly id: string
  readonly pem: string
  /** Why the key is no longer valid; undefined while it is. */
  readonly endedBy: 'revoked' | 'expired' | undefined
}

const MAX_KEYS = 10
/** The multicodec prefix of an Ed25519 public key in a Multikey. */
const ED25519_PREFIX = Buffer.from([0xed, 0x01])
/** The first bytes of a SubjectPublicKeyInfo with an Ed25519 key (RFC 8410). */
const SPKI_ED25519_PREFIX = Buffer.from('302a300506032b6570032100', 'hex')
const MAX_MULTIBASE_CHARACTERS = 100

/** Converts an Ed25519 Multikey (FEP-521a) to PEM; undefined for other keys. */
function multikeyToPem(multibase: string): string | undefined {
  if (!multibase.startsWith('z') || multibase.length > MAX_MULTIBASE_CHARACTERS) return undefined
  const bytes = fromBase58(multibase.slice(1))
  if (bytes?.length !== 34 || !bytes.subarray(0, 2).equals(ED25519_PREFIX)) return undefined
  return toPem(Buffer.concat([SPKI_ED25519_PREFIX, bytes.subarray(2)]))
}

/** Converts a PEM or DER public key to PEM; undefined unless it is a valid RSA or Ed25519 key. */
function toPem(encoded: string | Buffer): string | undefined {
  try {
    const key =
      typeof encoded === 'string'
        ? createPublicKey(encoded)
        : createPublicKey({ key: encoded, format: 'der', type: 'spki' })
    if (key.asymmetricKeyType !== 'rsa' && key.asymmetricKeyType !== 'ed25519') return undefined
    return key.export({ type: 'spki', format: 'pem' }).toString()
  } catch {
    return undefined
  }
}

/**
 * The keys that an actor document lists in `publicKey` and in `assertionMethod` (FEP-521a) with the
 * actor as their owner.
 */
export function readKeys(document: JsonObject): ListedKey[] {
  const actor = textOf(document['id'])
  const keys = listOf(document['publicKey']).flatMap(key => {
    if (!isObject(key) || textOf(key['owner']) !== actor) return []
    return listed(key, toPem(textOf(key['publicKeyPem']) ?? ''))
  })
  const multikeys = listOf(document['assertionMethod']).flatMap(key => {
    if (!isObject(key) || textOf(key['controller']) !== actor) return []
    return listed(key, multikeyToPem(textOf(key['publicKeyMultibase']) ?? ''))
  })
  return [...keys, ...multikeys].slice(0, MAX_KEYS)
}

/** Whether a time is in the past; an invalid time counts as past. */
function isPast(time: unknown): boolean {
  const text = textOf(time)
  return text !== undefined && !(Date.parse(text) > Date.now())
}

function listed(key: JsonObject, pem: string | undefined): ListedKey[] {
  const id = textOf(key['id'])
  if (id === undefined || pem === undefined) return []
  return [{ id, pem, endedBy: isPast(key['revoked']) ? 'revoked' : isPast(key['expires']) ? 'expired' : undefined }]
}
