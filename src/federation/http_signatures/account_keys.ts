import { LRUCache } from 'lru-cache'
import type { ApiError } from '../../core/errors.ts'
import { c, query } from '../../platform/database/index.ts'
import { perServer } from '../../platform/services.ts'
import { STORED_KEY, toActorKey, type RemoteKey } from './actor_key.ts'

const find = query('federation/http_signatures/account_key', { key_id: c.text }, STORED_KEY)

const UNSERVED_MS = 5 * 60_000
const MAX_UNSERVED = 5000

/**
 * The keys that accounts were stored with. They count while the server of an account serves no
 * document, because it hides a suspended actor or is down, so that its last activities, as its
 * Delete, are not lost. They are not cached, because nothing tells when they change.
 */
export const accountKeys = perServer(({ database }) => {
  /** Keys for whose documents servers were asked in vain a short time ago. */
  const unserved = new LRUCache<string, true>({ max: MAX_UNSERVED, ttl: UNSERVED_MS })
  return {
    /** The key of an account whose server was asked in vain a short time ago. */
    async recall(keyId: string): Promise<RemoteKey | undefined> {
      const known = unserved.has(keyId) ? await database.one(find, { key_id: keyId }) : undefined
      return known && { key: toActorKey(known), fresh: false }
    },

    /**
     * The key of an account whose server has just been asked in vain.
     * @param failure undefined after a 404
     * @throws ApiError the failure, if no account is stored with this key
     */
    async substitute(keyId: string, failure: ApiError | undefined): Promise<RemoteKey | undefined> {
      const known = await database.one(find, { key_id: keyId })
      if (known) unserved.set(keyId, true)
      else if (failure) throw failure
      return known && { key: toActorKey(known), fresh: true, failure }
    },
  }
})
