import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { readActor, readKeys } from '../actors/index.ts'
import { fetchDocument, resolveHandleUri } from '../fetch/index.ts'
import {
  idOf,
  isObject,
  isStorableUri,
  parseAcct,
  parseLocalUri,
  parsePublicKey,
  textOf,
  type JsonObject,
} from '../protocol/index.ts'
import type { ActorKey } from './actor_key.ts'
import { signatureError } from './signature_error.ts'

const forgetAccountKey = query(
  'federation/http_signatures/forget_account_key',
  { uri: c.text, key_ids: c.texts, public_keys: c.texts, updated: c.nullable(c.timestamp) },
  {},
)

/**
 * Fetches the document of a key or its owner; 'missing' after a 404, undefined when there is none.
 * @throws ApiError signatureUnchecked for an unexpected answer
 */
async function fetchSignerDocument(services: Services, url: string): Promise<JsonObject | 'missing' | undefined> {
  const fetched = await fetchDocument(services, url)
  if (fetched.outcome === 'unexpected')
    throw signatureError('Failed to fetch remote data (got unexpected reply from server)', 503)
  if (fetched.outcome === 'missing') return 'missing'
  return fetched.outcome === 'document' ? fetched.document : undefined
}

/**
 * The document of the actor that owns a key; `document` is that of the actor or of the key alone.
 */
async function fetchKeyOwner(services: Services, document: JsonObject): Promise<JsonObject | 'missing' | undefined> {
  if (document['publicKey'] !== undefined || document['inbox'] !== undefined) return document
  const owner = idOf(document['owner']) ?? idOf(document['controller'])
  return owner === undefined ? undefined : fetchSignerDocument(services, owner)
}

/** A key, and when the document that lists it was changed. */
export interface FetchedKey {
  readonly key: ActorKey
  readonly updated: Date | undefined
}

/**
 * Fetches a key as the document of its owner lists it; 'missing' when there is no document (404).
 * The stored account of the owner has its key no longer if the document does not list it.
 * @throws ApiError signatureInvalid for a revoked or expired key; signatureUnchecked
 * @throws OutgoingFailure
 */
export async function fetchKey(services: Services, keyId: string): Promise<FetchedKey | 'missing' | undefined> {
  const handle = parseAcct(keyId)
  const url = handle ? await resolveHandleUri(services, handle.username, handle.domain) : keyId
  if (url === undefined || parseLocalUri(url, services.config.publicUrl)) return undefined
  const document = await fetchSignerDocument(services, url)
  const actor = isObject(document) ? await fetchKeyOwner(services, document) : document
  if (!isObject(actor)) return actor
  const owner = textOf(actor['id'])
  if (owner === undefined || !isStorableUri(owner)) return undefined
  const keys = readKeys(actor)
  const claimed = readActor(actor)
  const valid = keys.filter(({ endedBy }) => endedBy === undefined)
  await services.database.run(forgetAccountKey, {
    uri: owner,
    key_ids: valid.map(({ id }) => id),
    public_keys: valid.map(({ pem }) => pem),
    updated: claimed?.updated ?? null,
  })
  // A keyId that is the actor's URI or handle stands for the actor's only key.
  const listed = keys.find(({ id }) => id === keyId) ?? (handle || keyId === owner ? keys[0] : undefined)
  if (listed?.endedBy === 'revoked') throw signatureError(`Key ${keyId} is revoked`)
  if (listed?.endedBy === 'expired') throw signatureError(`Key ${keyId} has expired`)
  if (!listed) return undefined
  const name = claimed ? `${claimed.username}@${claimed.domain}` : ''
  const key = { owner, handle: name, pem: listed.pem, publicKey: parsePublicKey(listed.pem) }
  return { key, updated: claimed?.updated }
}
