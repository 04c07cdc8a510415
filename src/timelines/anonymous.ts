import { LRUCache } from 'lru-cache'
import type { Id } from '../id.ts'
import { part, type Services } from '../services.ts'

/** Pages of timelines as everybody who is not signed in gets them: found once, until something may have changed them. */
export interface AnonymousPages {
  /** The ids of the page with this key, which `read` finds when they are not known. Those who ask at the same time share it. */
  get(key: string, read: () => Promise<readonly Id[]>): Promise<readonly Id[]>
}

const KEPT = 1000

/** What may put a status into a public page or take it out. */
const CHANGES = new Set([
  'status.created',
  'status.updated',
  'status.deleted',
  'account.changed',
  'account.deleted',
  'user.changed',
])

export const anonymousPages: (services: Services) => AnonymousPages = part(services => {
  const pages = new LRUCache<string, Promise<readonly Id[]>>({ max: KEPT })
  const subscription = services.events.applied$.subscribe(event => {
    if (CHANGES.has(event.kind)) pages.clear()
  })
  services.onClose(() => subscription.unsubscribe())
  return {
    get(key, read) {
      const known = pages.get(key)
      if (known) return known
      const reading = read()
      pages.set(key, reading)
      reading.catch(() => {
        if (pages.peek(key) === reading) pages.delete(key)
      })
      return reading
    },
  }
})
