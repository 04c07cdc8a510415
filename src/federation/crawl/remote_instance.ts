import { follow, OutgoingFailure } from '../../platform/http_client/index.ts'
import type { Services } from '../../platform/services.ts'
import { federatesWithHostOf, serverOrigin } from '../fetch/index.ts'
import { hostOf, isObject, type JsonObject } from '../protocol/index.ts'

const LIMITS = { timeoutMs: 10_000, maxBytes: 2 * 1024 * 1024, redirects: 3 } as const
const MAX_PEERS = 20_000

/** Information that a server publishes about itself by Mastodon's API. */
export interface RemoteInstance {
  readonly instance: JsonObject
  readonly users: number
  /** Sign-ins during the last complete week. */
  readonly active: number
  /** Registrations during the last complete week. */
  readonly joined: number
}

/** Fetches a JSON document from a server; undefined when there is none. */
async function getJson(services: Services, domain: string, path: string): Promise<unknown> {
  const isAllowed = (url: string): Promise<boolean> => federatesWithHostOf(services, url)
  try {
    const url = `${serverOrigin(services, domain)}${path}`
    const { status, complete, body } = await follow(services.outgoing, url, {
      headers: { accept: 'application/json' },
      isAllowed,
      ...LIMITS,
    })
    const value: unknown = status === 200 && complete ? JSON.parse(body.toString()) : undefined
    return value
  } catch (error) {
    if (error instanceof OutgoingFailure || error instanceof SyntaxError || error instanceof TypeError) return undefined
    throw error
  }
}

/** A count, which may be a number or a string of digits; 0 for anything else. */
function countIn(object: unknown, name: string): number {
  const count = isObject(object) ? Number(object[name]) : Number.NaN
  return Number.isSafeInteger(count) && count >= 0 ? count : 0
}

/** Fetches a server's information; undefined without an answer in the form of Mastodon's API. */
export async function fetchInstance(services: Services, domain: string): Promise<RemoteInstance | undefined> {
  const instance = await getJson(services, domain, '/api/v1/instance')
  if (!isObject(instance)) return undefined
  const weeks = await getJson(services, domain, '/api/v1/instance/activity')
  // The first entry is the current week.
  const week: unknown = Array.isArray(weeks) ? weeks[1] : undefined
  return {
    instance,
    users: countIn(instance['stats'], 'user_count'),
    active: countIn(week, 'logins'),
    joined: countIn(week, 'registrations'),
  }
}

/** Fetches the list of servers that a server knows. */
export async function fetchPeers(services: Services, domain: string): Promise<string[]> {
  const peers = await getJson(services, domain, '/api/v1/instance/peers')
  const hosts = Array.isArray(peers) ? peers.filter(peer => typeof peer === 'string') : []
  return hosts.filter(peer => hostOf(`https://${peer}`) === peer).slice(0, MAX_PEERS)
}
