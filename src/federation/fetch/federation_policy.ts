import { LRUCache } from 'lru-cache'
import { c, query } from '../../platform/database/index.ts'
import { onEvents } from '../../platform/events/index.ts'
import { perServer, type Services } from '../../platform/services.ts'
import { hostOf } from '../protocol/index.ts'

const findFederates = query(
  'federation/fetch/federates_with',
  { domain: c.text, limited: c.boolean },
  { allowed: c.boolean },
)
const findFederatedHosts = query(
  'federation/fetch/federated_hosts',
  { domains: c.texts, limited: c.boolean },
  { domain: c.text },
)

const MAX_HOSTS = 5000
/** A rule that is changed by hand in the database, without an event, applies after this time. */
const CACHE_MS = 60_000

/** Caches the decision for each host: every delivery needs that for its sender. */
const decisions = perServer(({ events, onClose }) => {
  const cache = new LRUCache<string, boolean>({ max: MAX_HOSTS, ttl: CACHE_MS })
  let generation = 0
  const clear = (): void => {
    generation += 1
    cache.clear()
  }
  const subscription = onEvents(events.local$, { 'instance.changed': clear, 'caches.cleared': clear })
  onClose(() => subscription.unsubscribe())
  return {
    get: (key: string): boolean | undefined => cache.get(key),
    /** Loads and caches a decision; it is not cached if the rules changed while it was loaded. */
    async load(key: string, load: () => Promise<boolean>): Promise<boolean> {
      const startGeneration = generation
      const allowed = await load()
      if (startGeneration === generation) cache.set(key, allowed)
      return allowed
    },
  }
})

/**
 * Whether this server exchanges activities with a host: it is not suspended here and, in limited
 * federation mode, it is allowed.
 */
export async function federatesWith(services: Services, host: string): Promise<boolean> {
  const limited = services.settings.get('limited_federation_mode')
  const key = `${limited ? 'limited' : 'open'} ${host}`
  const cache = decisions(services)
  return (
    cache.get(key) ??
    cache.load(
      key,
      async () => (await services.database.one(findFederates, { domain: host, limited }))?.allowed === true,
    )
  )
}

/** The URLs that may be requested (`mayRequest`). */
export async function filterRequestable(services: Services, urls: readonly string[]): Promise<Set<string>> {
  const remote = urls.filter(url => isRemoteUrl(services, url))
  const domains = [...new Set(remote.flatMap(url => hostOf(url) ?? []))]
  const limited = services.settings.get('limited_federation_mode')
  const allowed = new Set(
    (await services.database.run(findFederatedHosts, { domains, limited })).map(({ domain }) => domain),
  )
  return new Set(remote.filter(url => allowed.has(hostOf(url) ?? '')))
}

/** Whether a URL is on another server, by https; by http for .onion and in development. */
function isRemoteUrl({ config: { publicUrl } }: Services, url: string): boolean {
  const host = hostOf(url)
  if (host === undefined || host === new URL(publicUrl).host) return false
  return url.startsWith('https:') || publicUrl.startsWith('http:') || isOnion(host)
}

/**
 * Whether a URL may be requested: it is on another server with which this one federates, by https.
 * Plain http is allowed only if this server uses it too, as in development.
 */
export const mayRequest = async (services: Services, url: string): Promise<boolean> =>
  isRemoteUrl(services, url) && federatesWith(services, hostOf(url) ?? '')

/** Whether this server federates with the host of a URL; files may be loaded by any protocol. */
export const federatesWithHostOf = async (services: Services, url: string): Promise<boolean> =>
  federatesWith(services, hostOf(url) ?? '')

export const isOnion = (host: string): boolean => /\.onion(?::\d+)?$/.test(host)
