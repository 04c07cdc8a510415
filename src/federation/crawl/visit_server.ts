import { follow, OutgoingFailure } from '../../platform/http_client/index.ts'
import type { Services } from '../../platform/services.ts'
import { isOfReachableHost, originOf } from '../fetch/index.ts'
import { hostOf, isObject, type JsonObject } from '../protocol/index.ts'

const LIMITS = { timeoutMs: 10_000, maxBytes: 2 * 1024 * 1024, redirects: 3 } as const
const MAX_PEERS = 20_000

/** What a server says about itself, in the form of Mastodon's API. */
export interface VisitedServer {
  readonly instance: JsonObject
  readonly users: number
  /** Of the week that ended last. */
  readonly active: number
  readonly joined: number
}

/** A JSON document of a server; undefined when it has none. */
async function ask(services: Services, domain: string, path: string): Promise<unknown> {
  const isAllowed = (url: string): Promise<boolean> => isOfReachableHost(services, url)
  try {
    const url = `${originOf(services, domain)}${path}`
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

/** Counts are numbers or texts with digits. */
function countIn(object: unknown, name: string): number {
  const count = isObject(object) ? Number(object[name]) : Number.NaN
  return Number.isSafeInteger(count) && count >= 0 ? count : 0
}

/** Undefined when it gives no answer, or does not have this API. */
export async function visitServer(services: Services, domain: string): Promise<VisitedServer | undefined> {
  const instance = await ask(services, domain, '/api/v1/instance')
  if (!isObject(instance)) return undefined
  const weeks = await ask(services, domain, '/api/v1/instance/activity')
  // The first week runs.
  const week: unknown = Array.isArray(weeks) ? weeks[1] : undefined
  return {
    instance,
    users: countIn(instance['stats'], 'user_count'),
    active: countIn(week, 'logins'),
    joined: countIn(week, 'registrations'),
  }
}

/** The servers that a server says it knows. */
export async function peersOf(services: Services, domain: string): Promise<string[]> {
  const peers = await ask(services, domain, '/api/v1/instance/peers')
  const named = Array.isArray(peers) ? peers.filter(peer => typeof peer === 'string') : []
  return named.filter(peer => hostOf(`https://${peer}`) === peer).slice(0, MAX_PEERS)
}
