import { LRUCache } from 'lru-cache'
import { ApiError } from '../../core/errors.ts'
import { c, query } from '../../platform/database/index.ts'
import { onEvents } from '../../platform/events/index.ts'
import { perServer } from '../../platform/services.ts'
import { accountKeys } from './account_keys.ts'
import { STORED_KEY, toActorKey, type ActorKey, type RemoteKey } from './actor_key.ts'
import type { FetchedKey } from './fetch_key.ts'
import { createKeyRequests } from './key_requests.ts'

const find = query('federation/http_signatures/remote_key', { key_id: c.text }, STORED_KEY)
const store = query(
  'federation/http_signatures/store_remote_key',
  { key_id: c.text, owner: c.text, public_key: c.text, handle: c.text, updated: c.nullable(c.timestamp) },
  { outdated: c.boolean, events: c.events },
)

/** How long keys are cached, beside the database. */
const CACHE_MS = 60_000
const MAX_CACHED_KEYS = 5000

/**
 * Keys of remote actors, stored in the database for a day or until they change. After a failed
 * connection, no key is fetched for requests from the same client address for five minutes. A key
 * that a signature does not match is fetched again once in five minutes. While no document is
 * served, the key of the stored account counts (`accountKeys`).
 */
export const remoteKeys = perServer(services => {
  const { database } = services
  const cache = new LRUCache<string, ActorKey>({ max: MAX_CACHED_KEYS, ttl: CACHE_MS })
  async function keep(keyId: string, { key, updated }: FetchedKey): Promise<ActorKey | undefined> {
    const { owner, handle } = key
    const stored = await database.one(store, {
      key_id: keyId,
      owner,
      public_key: key.pem,
      handle,
      updated: updated ?? null,
    })
    if (stored?.outdated === true) return undefined
    cache.set(keyId, key)
    return key
  }
  const requests = createKeyRequests(services, keep, keyId => cache.get(keyId))
  let changes = 0
  const subscription = onEvents(services.events.local$, {
    'remote_key.changed': ({ data: { owner } }) => {
      changes += 1
      for (const [id, key] of cache) if (key.owner === owner) cache.delete(id)
    },
    'caches.cleared': () => {
      changes += 1
      cache.clear()
      requests.clear()
    },
  })
  services.onClose(() => subscription.unsubscribe())

  /** The key without a request. */
  async function findStored(keyId: string): Promise<RemoteKey | undefined> {
    const cached = cache.get(keyId)
    if (cached) return { key: cached, fresh: false }
    const before = changes
    const stored = await database.one(find, { key_id: keyId })
    if (!stored) return accountKeys(services).recall(keyId)
    const key = toActorKey(stored)
    // What was read before a change is not kept.
    if (before === changes) cache.set(keyId, key)
    return { key, fresh: false }
  }

  /**
   * The key as its server has it, or had it some minutes ago; undefined for one that an Update of
   * the actor has replaced.
   * @throws ApiError signatureUnchecked when the server of the key gave no answer
   */
  async function refresh(keyId: string, address: string): Promise<RemoteKey | undefined> {
    const key = await requests.run({ keyId, address, refreshes: true })
    if (key === 'refreshed') {
      const stored = await findStored(keyId)
      return stored && { ...stored, fresh: true }
    }
    return key === undefined || key === 'missing' ? undefined : { key, fresh: true }
  }

  /**
   * As `refresh`; if its server was asked and served no document, the key of the stored account.
   * The sender, who may cause a failed connection elsewhere, does not choose that.
   */
  async function refreshOrSubstitute(keyId: string, address: string): Promise<RemoteKey | undefined> {
    requests.refuse(address)
    const key = await requests.run({ keyId, address, refreshes: false }).catch((error: unknown) => {
      if (error instanceof ApiError && error.code === 'signatureUnchecked') return error
      throw error
    })
    if (key === 'missing') return accountKeys(services).substitute(keyId, undefined)
    if (key instanceof ApiError) return accountKeys(services).substitute(keyId, key)
    return key === undefined || key === 'refreshed' ? undefined : { key, fresh: true }
  }

  return {
    refresh,
    find: async (keyId: string, address: string): Promise<RemoteKey | undefined> =>
      (await findStored(keyId)) ?? refreshOrSubstitute(keyId, address),
  }
})
