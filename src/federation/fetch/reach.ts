import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { hostOf } from '../terms/index.ts'

const reach = query('federation/reach', { domain: c.text, limited: c.boolean }, { allowed: c.boolean })
const reachable = query('federation/reachable', { domains: c.texts, limited: c.boolean }, { domain: c.text })

/**
 * Whether this server exchanges anything with a host: it is not suspended here and, in limited
 * federation mode, it is allowed.
 */
export async function isReachableHost({ database, settings }: Services, host: string): Promise<boolean> {
  const row = await database.one(reach, { domain: host, limited: settings.get('limited_federation_mode') })
  return row?.allowed === true
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

export const isOnion = (host: string): boolean => /\.onion(?::\d+)?$/.test(host)
