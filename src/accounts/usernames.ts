import { c, query } from '../platform/database/index.ts'
import type { Id } from '../core/id.ts'
import { eventCache, type EventCache } from '../platform/cache/event_cache.ts'
import { perServer, type Services } from '../platform/services.ts'

const byUsernames = query('accounts/by_usernames', { names: c.texts }, { id: c.id, name: c.text }, { pipelined: true })

/**
 * The ids of this server's accounts by username in lower case. A username never changes, and
 * another account can only take it after an `account.deleted`. Says nothing about whether the
 * account may be shown or addressed.
 */
export const usernames: (services: Services) => EventCache<{ readonly id: Id }> = perServer(services =>
  eventCache(services, {
    name: 'usernames',
    async load(names) {
      const rows = await services.database.run(byUsernames, { names })
      return new Map(rows.map(({ id, name }) => [name, { id }]))
    },
    drops: { 'account.deleted': 'all' },
  }),
)
