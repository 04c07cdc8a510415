import { LRUCache } from 'lru-cache'
import { c, query } from '../../platform/database/index.ts'
import { perServer } from '../../platform/services.ts'

const record = query('federation/send/record_successes', { hosts: c.texts }, {})

const HOUR_MS = 60 * 60_000
const MAX_HOSTS = 20_000

/**
 * Records when servers accepted a delivery last, at most once an hour each: operators want to know
 * the day, and a row an activity would cost more than the delivery.
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
