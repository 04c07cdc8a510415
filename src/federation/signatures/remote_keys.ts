import { createPublicKey, type KeyObject } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { c, query } from '../../platform/database/index.ts'
import { OutgoingFailure } from '../../platform/http_client/index.ts'
import { perServer, type Services } from '../../platform/services.ts'
import { readActor, readKeys } from '../actors/index.ts'
import { fetchDocument, resolveHandleUri } from '../fetch/index.ts'
import { idOf, parseLocal, textOf, type JsonObject } from '../protocol/index.ts'
import { signatureError } from './signature_error.ts'

const find = query('federation/remote_key', { key_id: c.text }, { owner: c.text, public_key: c.text, handle: c.text })
const keep = query(
  'federation/keep_remote_key',
  { key_id: c.text, owner: c.text, public_key: c.text, handle: c.text },
  {},
)

export interface ActorKey {
  /** The URI of the actor that lists it. */
  readonly owner: string
  /** `user@domain`, as the actor claims it. */
  readonly handle: string
  readonly pem: string
  readonly publicKey: KeyObject
}

export interface RemoteKey {
  readonly key: ActorKey
  /** Whether it was fetched for this request. */
  readonly fresh: boolean
}

const FAILURE_MS = 5 * 60_000
const MAX_FAILING_ADDRESSES = 10_000
/** How long keys stay in memory, and thus how long a replaced key remains valid. */
const MEMORY_MS = 60_000
const MAX_KEYS_IN_MEMORY = 5000

/**
 * A document; undefined when there is none.
 * @throws ApiError signatureUnchecked for another answer
 */
async function fetchPart(services: Services, url: string): Promise<JsonObject | undefined> {
  const fetched = await fetchDocument(services, url)
  if (fetched.outcome === 'unexpected')
    throw signatureError('Failed to fetch remote data (got unexpected reply from server)', 503)
  return fetched.outcome === 'document' ? fetched.document : undefined
}

/** The actor whose document lists the key; the document is of the actor, or of the key alone. */
async function actorOf(services: Services, document: JsonObject): Promise<JsonObject | undefined> {
  if (document['publicKey'] !== undefined || document['inbox'] !== undefined) return document
  const owner = idOf(document['owner']) ?? idOf(document['controller'])
  return owner === undefined ? undefined : fetchPart(services, owner)
}

async function fetchKey(services: Services, keyId: string): Promise<ActorKey | undefined> {
  const [, username, domain] = /^acct:([^@]+)@(.+)$/.exec(keyId) ?? []
  const isHandle = username !== undefined && domain !== undefined
  const url = isHandle ? await resolveHandleUri(services, username, domain) : keyId
  if (url === undefined || parseLocal(url, services.config.publicUrl)) return undefined
  const document = await fetchPart(services, url)
  const actor = document && (await actorOf(services, document))
  const owner = textOf(actor?.['id'])
  if (!actor || owner === undefined) return undefined
  const keys = readKeys(actor)
  // A server that names its actor instead of a key has one key.
  const listed = keys.find(({ id }) => id === keyId) ?? (isHandle || keyId === owner ? keys[0] : undefined)
  if (listed?.ended === 'revoked') throw signatureError(`Key ${keyId} is revoked`)
  if (listed?.ended === 'expired') throw signatureError(`Key ${keyId} has expired`)
  const claimed = readActor(actor)
  const handle = claimed ? `${claimed.username}@${claimed.domain}` : ''
  return listed && { owner, handle, pem: listed.pem, publicKey: createPublicKey(listed.pem) }
}

/**
 * Keys of remote actors, stored in the database for a day. After a failed connection the same
 * address is not tried for five minutes.
 */
export const remoteKeys = perServer(services => {
  const failed = new LRUCache<string, true>({ max: MAX_FAILING_ADDRESSES, ttl: FAILURE_MS })
  const remembered = new LRUCache<string, ActorKey>({ max: MAX_KEYS_IN_MEMORY, ttl: MEMORY_MS })
  const { database } = services

  /** @throws ApiError signatureUnchecked when the server of the key gave no answer */
  async function refresh(keyId: string, address: string): Promise<RemoteKey | undefined> {
    if (failed.has(address)) throw signatureError('Fetching attempt skipped because of recent connection failure', 503)
    try {
      const key = await fetchKey(services, keyId)
      if (!key) return undefined
      await database.run(keep, { key_id: keyId, owner: key.owner, public_key: key.pem, handle: key.handle })
      remembered.set(keyId, key)
      return { key, fresh: true }
    } catch (error) {
      if (!(error instanceof OutgoingFailure)) throw error
      failed.set(address, true)
      throw signatureError(`Failed to fetch remote data: ${error.message}`, 503, error)
    }
  }

  return {
    refresh,
    async find(keyId: string, address: string): Promise<RemoteKey | undefined> {
      const known = remembered.get(keyId)
      if (known) return { key: known, fresh: false }
      const kept = await database.one(find, { key_id: keyId })
      if (!kept) return refresh(keyId, address)
      const { owner, handle, public_key: pem } = kept
      const key = { owner, handle, pem, publicKey: createPublicKey(pem) }
      remembered.set(keyId, key)
      return { key, fresh: false }
    },
  }
})
