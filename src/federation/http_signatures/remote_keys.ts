import { LRUCache } from 'lru-cache'
import { c, query } from '../../platform/database/index.ts'
import { onEvents } from '../../platform/events/index.ts'
import { OutgoingFailure } from '../../platform/http_client/index.ts'
import { perServer, type Services } from '../../platform/services.ts'
import { readActor, readKeys } from '../actors/index.ts'
import { fetchDocument, resolveHandleUri } from '../fetch/index.ts'
import {
  idOf,
  isStorableUri,
  parseAcct,
  parseLocalUri,
  parsePublicKey,
  textOf,
  type JsonObject,
  type PublicKey,
} from '../protocol/index.ts'
import { signatureError } from './signature_error.ts'

const find = query(
  'federation/http_signatures/remote_key',
  { key_id: c.text },
  { owner: c.text, public_key: c.text, handle: c.text },
)
const store = query(
  'federation/http_signatures/store_remote_key',
  { key_id: c.text, owner: c.text, public_key: c.text, handle: c.text, updated: c.nullable(c.timestamp) },
  { outdated: c.boolean, events: c.events },
)

export interface ActorKey {
  /** The URI of the actor that lists the key. */
  readonly owner: string
  /** `user@domain`, as the actor claims it. */
  readonly handle: string
  readonly pem: string
  readonly publicKey: PublicKey
}

export interface RemoteKey {
  readonly key: ActorKey
  /** Whether it was fetched for this request. */
  readonly fresh: boolean
}

const FAILURE_MS = 5 * 60_000
const MAX_FAILING_ADDRESSES = 10_000
/** How long keys are cached, beside the database. */
const CACHE_MS = 60_000
const MAX_CACHED_KEYS = 5000

/**
 * Fetches the document of a key or its owner; undefined when there is none.
 * @throws ApiError signatureUnchecked for an unexpected answer
 */
async function fetchSignerDocument(services: Services, url: string): Promise<JsonObject | undefined> {
  const fetched = await fetchDocument(services, url)
  if (fetched.outcome === 'unexpected')
    throw signatureError('Failed to fetch remote data (got unexpected reply from server)', 503)
  return fetched.outcome === 'document' ? fetched.document : undefined
}

/**
 * The document of the actor that owns a key; `document` is that of the actor or of the key alone.
 */
async function fetchKeyOwner(services: Services, document: JsonObject): Promise<JsonObject | undefined> {
  if (document['publicKey'] !== undefined || document['inbox'] !== undefined) return document
  const owner = idOf(document['owner']) ?? idOf(document['controller'])
  return owner === undefined ? undefined : fetchSignerDocument(services, owner)
}

/** A key, and when the document that lists it was changed. */
interface FetchedKey {
  readonly key: ActorKey
  readonly updated: Date | undefined
}

async function fetchKey(services: Services, keyId: string): Promise<FetchedKey | undefined> {
  const handle = parseAcct(keyId)
  const url = handle ? await resolveHandleUri(services, handle.username, handle.domain) : keyId
  if (url === undefined || parseLocalUri(url, services.config.publicUrl)) return undefined
  const document = await fetchSignerDocument(services, url)
  const actor = document && (await fetchKeyOwner(services, document))
  const owner = textOf(actor?.['id'])
  if (!actor || owner === undefined || !isStorableUri(owner)) return undefined
  const keys = readKeys(actor)
  // A keyId that is the actor's URI or handle stands for the actor's only key.
  const listed = keys.find(({ id }) => id === keyId) ?? (handle || keyId === owner ? keys[0] : undefined)
  if (listed?.endedBy === 'revoked') throw signatureError(`Key ${keyId} is revoked`)
  if (listed?.endedBy === 'expired') throw signatureError(`Key ${keyId} has expired`)
  const claimed = readActor(actor)
  if (!listed) return undefined
  const name = claimed ? `${claimed.username}@${claimed.domain}` : ''
  const key = { owner, handle: name, pem: listed.pem, publicKey: parsePublicKey(listed.pem) }
  return { key, updated: claimed?.updated }
}

/**
 * Keys of remote actors, stored in the database for a day or until they change. After a failed
 * connection, no key is fetched for requests from the same client address for five minutes.
 */
export const remoteKeys = perServer(services => {
  const failedAddresses = new LRUCache<string, true>({ max: MAX_FAILING_ADDRESSES, ttl: FAILURE_MS })
  const cache = new LRUCache<string, ActorKey>({ max: MAX_CACHED_KEYS, ttl: CACHE_MS })
  const { database } = services
  let changes = 0
  const subscription = onEvents(services.events.local$, {
    'remote_key.changed': ({ data: { owner } }) => {
      changes += 1
      for (const [id, key] of cache) if (key.owner === owner) cache.delete(id)
    },
    'caches.cleared': () => {
      changes += 1
      cache.clear()
    },
  })
  services.onClose(() => subscription.unsubscribe())

  /**
   * The key as its server has it; undefined for one that an Update of the actor has replaced.
   * @throws ApiError signatureUnchecked when the server of the key gave no answer
   */
  async function refresh(keyId: string, address: string): Promise<RemoteKey | undefined> {
    if (failedAddresses.has(address))
      throw signatureError('Fetching attempt skipped because of recent connection failure', 503)
    try {
      const fetched = await fetchKey(services, keyId)
      if (!fetched) return undefined
      const { key, updated = null } = fetched
      const { owner, handle } = key
      const stored = await database.one(store, { key_id: keyId, owner, public_key: key.pem, handle, updated })
      if (stored?.outdated === true) return undefined
      cache.set(keyId, key)
      return { key, fresh: true }
    } catch (error) {
      if (!(error instanceof OutgoingFailure)) throw error
      failedAddresses.set(address, true)
      throw signatureError(`Failed to fetch remote data: ${error.message}`, 503, error)
    }
  }

  return {
    refresh,
    async find(keyId: string, address: string): Promise<RemoteKey | undefined> {
      const cached = cache.get(keyId)
      if (cached) return { key: cached, fresh: false }
      const before = changes
      const stored = await database.one(find, { key_id: keyId })
      if (!stored) return refresh(keyId, address)
      const { owner, handle, public_key: pem } = stored
      const key = { owner, handle, pem, publicKey: parsePublicKey(pem) }
      // What was read before a change is not kept.
      if (before === changes) cache.set(keyId, key)
      return { key, fresh: false }
    },
  }
})
