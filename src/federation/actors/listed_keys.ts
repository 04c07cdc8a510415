import { createPublicKey } from 'node:crypto'
import { fromBase58, isObject, listOf, textOf, type JsonObject } from '../protocol/index.ts'

/** A key that an actor document lists as its own. */
export interface ListedKey {
  readonly id: string
  readonly pem: string
  /** Why it does not count any more. */
  readonly ended: 'revoked' | 'expired' | undefined
}

const MAX_KEYS = 10
/** Of a multikey: Ed25519, 32 bytes. */
const ED25519 = Buffer.from([0xed, 0x01])
/** The head of a SubjectPublicKeyInfo with an Ed25519 key (RFC 8410). */
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex')
const MAX_MULTIBASE_CHARACTERS = 100

/** An Ed25519 key in the form of FEP-521a as PEM. */
function pemOfMultikey(multibase: string): string | undefined {
  if (!multibase.startsWith('z') || multibase.length > MAX_MULTIBASE_CHARACTERS) return undefined
  const bytes = fromBase58(multibase.slice(1))
  if (bytes?.length !== 34 || !bytes.subarray(0, 2).equals(ED25519)) return undefined
  return checkedPem(Buffer.concat([SPKI_HEAD, bytes.subarray(2)]))
}

/** A readable public key of a kind that is used, as PEM; undefined for others. */
function checkedPem(given: string | Buffer): string | undefined {
  try {
    const key =
      typeof given === 'string' ? createPublicKey(given) : createPublicKey({ key: given, format: 'der', type: 'spki' })
    if (key.asymmetricKeyType !== 'rsa' && key.asymmetricKeyType !== 'ed25519') return undefined
    return key.export({ type: 'spki', format: 'pem' }).toString()
  } catch {
    return undefined
  }
}

/**
 * The keys that a document with this id lists as its own: `publicKey`, and `assertionMethod` of
 * FEP-521a.
 */
export function readKeys(document: JsonObject): ListedKey[] {
  const actor = textOf(document['id'])
  const keys = listOf(document['publicKey']).flatMap(key => {
    if (!isObject(key) || textOf(key['owner']) !== actor) return []
    return listed(key, checkedPem(textOf(key['publicKeyPem']) ?? ''))
  })
  const multikeys = listOf(document['assertionMethod']).flatMap(key => {
    if (!isObject(key) || textOf(key['controller']) !== actor) return []
    return listed(key, pemOfMultikey(textOf(key['publicKeyMultibase']) ?? ''))
  })
  return [...keys, ...multikeys].slice(0, MAX_KEYS)
}

/** A time that is over; one that cannot be read is. */
function isPast(time: unknown): boolean {
  const text = textOf(time)
  return text !== undefined && !(Date.parse(text) > Date.now())
}

function listed(key: JsonObject, pem: string | undefined): ListedKey[] {
  const id = textOf(key['id'])
  if (id === undefined || pem === undefined) return []
  return [{ id, pem, ended: isPast(key['revoked']) ? 'revoked' : isPast(key['expires']) ? 'expired' : undefined }]
}
