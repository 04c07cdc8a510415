import { LRUCache } from 'lru-cache'
import { ApiError } from '../../core/errors.ts'
import { c, query } from '../../platform/database/index.ts'
import { onEvents } from '../../platform/events/index.ts'
import { OutgoingFailure } from '../../platform/http_client/index.ts'
import { perServer, type Services } from '../../platform/services.ts'
import { accountKeys } from './account_keys.ts'
import { STORED_KEY, toActorKey, type ActorKey, type RemoteKey } from './actor_key.ts'
import { fetchKey } from './fetch_key.ts'
import { createFetchLimits } from './fetch_limits.ts'
import { signatureError } from './signature_error.ts'

const find = query('federation/http_signatures/remote_key', { key_id: c.text }, STORED_KEY)
const store = query(
  'federation/http_signatures/store_remote_key',
  { key_id: c.text, owner: c.text, public_key: c.text, handle: c.text, updated: c.nullable(c.timestamp) },
  { outdated: c.boolean, events: c.events },
)

const FAILURE_MS = 5 * 60_000
const MAX_FAILING_ADDRESSES = 10_000
/** How long keys are cached, beside the database. */
const CACHE_MS = 60_000
const MAX_CACHED_KEYS = 5000

/** Remembers for whose requests a connection failed a short time ago. */
function createFailures() {
  const addresses = new LRUCache<string, true>({ max: MAX_FAILING_ADDRESSES, ttl: FAILURE_MS })
  return {
    add: (address: string) => void addresses.set(address, true),
    /** @throws ApiError signatureUnchecked after a failed connection for the same address */
    refuse(address: string): void {
      if (addresses.has(address))
        throw signatureError('Fetching attempt skipped because of recent connection failure', 503)
    },
  }
}

/** Fetches keys within the limits of the client's address. */
function createFetch(failures: ReturnType<typeof createFailures>) {
  const limits = createFetchLimits()
  return (services: Services, keyId: string, address: string): ReturnType<typeof fetchKey> =>
    limits.run(address, async () => {
      // Another one may have failed while this one waited.
      failures.refuse(address)
      return fetchKey(services, keyId)
    })
}

/**
 * Keys of remote actors, stored in the database for a day or until they change. After a failed
 * connection, no key is fetched for requests from the same client address for five minutes. While
 * no document is served, the key of the stored account counts (`accountKeys`).
 */
export const remoteKeys = perServer(services => {
  const failures = createFailures()
  const fetchForAddress = createFetch(failures)
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

  /** @throws ApiError signatureUnchecked when the server of the key gave no answer */
  async function request(keyId: string, address: string): Promise<ActorKey | 'missing' | undefined> {
    failures.refuse(address)
    try {
      const fetched = await fetchForAddress(services, keyId, address)
      if (fetched === undefined || fetched === 'missing') return fetched
      const { key, updated = null } = fetched
      const { owner, handle } = key
      const stored = await database.one(store, { key_id: keyId, owner, public_key: key.pem, handle, updated })
      if (stored?.outdated === true) return undefined
      cache.set(keyId, key)
      return key
    } catch (error) {
      if (!(error instanceof OutgoingFailure)) throw error
      failures.add(address)
      throw signatureError(`Failed to fetch remote data: ${error.message}`, 503, error)
    }
  }

  /**
   * The key as its server has it; undefined for one that an Update of the actor has replaced.
   * @throws ApiError signatureUnchecked when the server of the key gave no answer
   */
  async function refresh(keyId: string, address: string): Promise<RemoteKey | undefined> {
    const key = await request(keyId, address)
    return key === undefined || key === 'missing' ? undefined : { key, fresh: true }
  }

  /**
   * As `refresh`; if its server was asked and served no document, the key of the stored account.
   * The sender, who may cause a failed connection elsewhere, does not choose that.
   */
  async function refreshOrSubstitute(keyId: string, address: string): Promise<RemoteKey | undefined> {
    failures.refuse(address)
    const key = await request(keyId, address).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'signatureUnchecked') return error
      throw error
    })
    if (key === 'missing') return accountKeys(services).substitute(keyId, undefined)
    if (key instanceof ApiError) return accountKeys(services).substitute(keyId, key)
    return key && { key, fresh: true }
  }

  return {
    refresh,
    async find(keyId: string, address: string): Promise<RemoteKey | undefined> {
      const cached = cache.get(keyId)
      if (cached) return { key: cached, fresh: false }
      const before = changes
      const stored = await database.one(find, { key_id: keyId })
      if (!stored) return (await accountKeys(services).recall(keyId)) ?? refreshOrSubstitute(keyId, address)
      const key = toActorKey(stored)
      // What was read before a change is not kept.
      if (before === changes) cache.set(keyId, key)
      return { key, fresh: false }
    },
  }
})
