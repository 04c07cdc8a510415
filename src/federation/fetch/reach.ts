import { LRUCache } from 'lru-cache'
import { c, query } from '../../platform/database/index.ts'
import { onEvents } from '../../platform/events/index.ts'
import { perServer, type Services } from '../../platform/services.ts'
import { hostOf } from '../protocol/index.ts'

const reach = query('federation/reach', { domain: c.text, limited: c.boolean }, { allowed: c.boolean })
const reachable = query('federation/reachable', { domains: c.texts, limited: c.boolean }, { domain: c.text })

const MAX_HOSTS = 5000
/** Rules that are changed past the server, by hand, apply after as long. */
const MEMORY_MS = 60_000

/** What the rules say of hosts, as it was asked; each delivery asks for that of its sender. */
const answers = perServer(({ events, onClose }) => {
  const known = new LRUCache<string, boolean>({ max: MAX_HOSTS, ttl: MEMORY_MS })
  let generation = 0
  const forget = (): void => {
    generation += 1
    known.clear()
  }
  const subscription = onEvents(events.local$, { 'instance.changed': forget, 'caches.cleared': forget })
  onClose(() => subscription.unsubscribe())
  return {
    get: (key: string): boolean | undefined => known.get(key),
    /** Stores an answer, unless the rules have changed since it was asked for. */
    async ask(key: string, load: () => Promise<boolean>): Promise<boolean> {
      const asked = generation
      const allowed = await load()
      if (asked === generation) known.set(key, allowed)
      return allowed
    },
  }
})

/**
 * Whether this server exchanges anything with a host: it is not suspended here and, in limited
 * federation mode, it is allowed.
 */
export async function isReachableHost(services: Services, host: string): Promise<boolean> {
  const limited = services.settings.get('limited_federation_mode')
  const key = `${limited ? 'limited' : 'open'} ${host}`
  const { get, ask } = answers(services)
  const load = async (): Promise<boolean> =>
    (await services.database.one(reach, { domain: host, limited }))?.allowed === true
  return get(key) ?? ask(key, load)
}

/** Those of the URLs that may be requested (`isReachable`). */
export async function reachableOf(services: Services, urls: readonly string[]): Promise<Set<string>> {
  const possible = urls.filter(url => isPossible(services, url))
  const domains = [...new Set(possible.flatMap(url => hostOf(url) ?? []))]
  const limited = services.settings.get('limited_federation_mode')
  const allowed = new Set((await services.database.run(reachable, { domains, limited })).map(({ domain }) => domain))
  return new Set(possible.filter(url => allowed.has(hostOf(url) ?? '')))
}

/** Whether a URL is that of another server, by a protocol that is used. */
function isPossible({ config: { publicUrl } }: Services, url: string): boolean {
  const host = hostOf(url)
  if (host === undefined || host === new URL(publicUrl).host) return false
  return url.startsWith('https:') || publicUrl.startsWith('http:') || isOnion(host)
}

/**
 * Whether a URL may be requested: of another server that this one exchanges with, by https; by http
 * only if this server is reached by it too, as in development.
 */
export const isReachable = async (services: Services, url: string): Promise<boolean> =>
  isPossible(services, url) && isReachableHost(services, hostOf(url) ?? '')

/** Whether the host of a URL is one that this server exchanges with; for files, by any protocol. */
export const isOfReachableHost = async (services: Services, url: string): Promise<boolean> =>
  isReachableHost(services, hostOf(url) ?? '')

export const isOnion = (host: string): boolean => /\.onion(?::\d+)?$/.test(host)
