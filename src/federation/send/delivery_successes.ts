import { LRUCache } from 'lru-cache'
import { c, query } from '../../platform/database/index.ts'
import { perServer } from '../../platform/services.ts'

const record = query('federation/send/record_successes', { hosts: c.texts }, {})

const HOUR_MS = 60 * 60_000
const MAX_HOSTS = 20_000

/**
 * Records when servers last accepted a delivery, at most once an hour for each: operators need only
 * the day, and a write for each activity would cost more than the delivery.
 */
export const deliverySuccesses = perServer(({ database }) => {
  const recorded = new LRUCache<string, true>({ max: MAX_HOSTS, ttl: HOUR_MS })
  return {
    async add(hosts: ReadonlySet<string>): Promise<void> {
      const due = [...hosts].filter(host => !recorded.has(host))
      if (due.length === 0) return
      await database.run(record, { hosts: due })
      for (const host of due) recorded.set(host, true)
    },
  }
})
