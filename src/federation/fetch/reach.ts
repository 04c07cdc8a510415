import { c, query } from '../../platform/database/index.ts'
import type { Services } from '../../platform/services.ts'
import { hostOf } from '../terms/index.ts'

const reach = query('federation/reach', { domain: c.text, limited: c.boolean }, { allowed: c.boolean })

/**
 * Whether this server exchanges anything with a host: it is not suspended here and, in limited
 * federation mode, it is allowed.
 */
export async function isReachableHost({ database, settings }: Services, host: string): Promise<boolean> {
  const row = await database.one(reach, { domain: host, limited: settings.get('limited_federation_mode') })
  return row?.allowed === true
}

/**
 * Whether a URL may be requested: of another server that this one exchanges with, by https; by http
 * only if this server is reached by it too, as in development.
 */
export async function isReachable(services: Services, url: string): Promise<boolean> {
  const { publicUrl } = services.config
  const host = hostOf(url)
  if (host === undefined || host === new URL(publicUrl).host) return false
  if (!url.startsWith('https:') && !publicUrl.startsWith('http:') && !isOnion(host)) return false
  return isReachableHost(services, host)
}

export const isOnion = (host: string): boolean => /\.onion(?::\d+)?$/.test(host)
