import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import type { Observable } from 'rxjs'
import { c, query, type Database, type Runner } from '../../platform/database/index.ts'
import { reloadOn, type LoggedEvent } from '../../platform/events/index.ts'
import { SEVERITIES, type AddressPolicy, type Severity } from '../../platform/http/address_policy.ts'

const allBlocks = query(
  'moderation/ip_blocks/all',
  {},
  { ip: c.text, severity: c.text, expires_at: c.nullable(c.timestamp) },
)

export const isSeverity = (text: string): text is Severity => SEVERITIES.some(severity => severity === text)

/** The stored rules that are in effect. */
export const listIpBlocks = (database: Runner) => database.run(allBlocks, {})

/** The rules about networks that are in effect. */
export interface IpBlocks extends AddressPolicy {
  close(): void
}

interface Rule {
  readonly network: readonly [ipaddr.IPv4 | ipaddr.IPv6, number]
  readonly rank: number
  readonly expiresMs: number
}

/** Results for an address expire after this time, because rules expire. */
const KEPT_MS = 60_000
const KEPT_ADDRESSES = 20_000
const NO_RULE = -1

function parseRule(row: { ip: string; severity: string; expires_at: Date | null }): Rule {
  const rank = SEVERITIES.findIndex(severity => severity === row.severity)
  return { network: ipaddr.parseCIDR(row.ip), rank, expiresMs: row.expires_at?.getTime() ?? Infinity }
}

function rankOf(rules: readonly Rule[], address: string): number {
  if (!ipaddr.isValid(address)) return NO_RULE
  const parsed = ipaddr.process(address)
  const now = Date.now()
  const ranks = rules
    .filter(
      ({ network, expiresMs }) => network[0].kind() === parsed.kind() && expiresMs > now && parsed.match([...network]),
    )
    .map(({ rank }) => rank)
  return Math.max(NO_RULE, ...ranks)
}

/** Loads the rules, and reloads all of them after an event that changes one. */
export async function openIpBlocks(
  database: Database,
  local$: Observable<LoggedEvent>,
  onError: (error: unknown) => void,
): Promise<IpBlocks> {
  const known = new LRUCache<string, number>({ max: KEPT_ADDRESSES, ttl: KEPT_MS })
  let rules: readonly Rule[] = []
  let latest: Promise<unknown> = Promise.resolve()

  async function load(): Promise<void> {
    rules = (await listIpBlocks(database)).map(parseRule)
    known.clear()
  }

  function reload(): Promise<void> {
    const loading = load()
    latest = loading.catch(() => undefined)
    return loading
  }

  const subscription = reloadOn(local$, 'ip_blocks.changed', reload, onError).subscribe()
  try {
    await reload()
  } catch (error) {
    subscription.unsubscribe()
    throw error
  }
  return {
    get any() {
      return rules.length > 0
    },
    severityOf(address) {
      if (rules.length === 0) return undefined
      let rank = known.get(address)
      if (rank === undefined) known.set(address, (rank = rankOf(rules, address)))
      return SEVERITIES[rank]
    },
    async settled() {
      // A reload may follow the one that runs.
      for (let awaited: unknown; awaited !== latest;) await (awaited = latest)
    },
    close: () => subscription.unsubscribe(),
  }
}
