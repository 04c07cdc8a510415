import ipaddr from 'ipaddr.js'
import { LRUCache } from 'lru-cache'
import type { Observable } from 'rxjs'
import { c, query, type Database, type Runner } from '../../platform/database/index.ts'
import { openReloaded, type LoggedEvent } from '../../platform/events/index.ts'
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
  const load = async (): Promise<readonly Rule[]> => (await listIpBlocks(database)).map(parseRule)
  const rules = await openReloaded(local$, 'ip_blocks.changed', load, { onError, onLoaded: () => known.clear() })
  return {
    get any() {
      return rules.get().length > 0
    },
    severityOf(address) {
      if (rules.get().length === 0) return undefined
      let rank = known.get(address)
      if (rank === undefined) known.set(address, (rank = rankOf(rules.get(), address)))
      return SEVERITIES[rank]
    },
    settled: rules.settled,
    close: rules.close,
  }
}
