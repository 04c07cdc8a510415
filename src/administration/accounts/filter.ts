import { BASE_ROLE } from '../../auth/roles/index.ts'
import { storedDomain } from '../../core/parse_url.ts'
import { parseId, type Id } from '../../core/id.ts'
import { parseNetwork } from '../../moderation/ip_blocks/index.ts'
import { c, query, type Runner } from '../../platform/database/index.ts'
import { rangeParameters, type Range } from '../../platform/http/index.ts'

export const ORIGINS = ['local', 'remote'] as const
export const STATUSES = ['active', 'pending', 'disabled', 'silenced', 'suspended', 'sensitized'] as const

/** A filter of accounts in the admin API and pages; blank texts count as absent. */
export interface AccountFilter {
  readonly origin?: (typeof ORIGINS)[number] | undefined
  readonly status?: (typeof STATUSES)[number] | undefined
  /** Only accounts whose role includes the permission manage_reports. */
  readonly staff?: boolean | undefined
  /** Only users with any one of these roles; `-99` selects users with the base role alone. */
  readonly roleIds?: readonly string[] | undefined
  /** Only users invited by the user of this account. */
  readonly invitedBy?: Id | undefined
  /** Prefixes of the username, the display name and the address. */
  readonly username?: string | undefined
  readonly displayName?: string | undefined
  readonly email?: string | undefined
  /** The exact domain. It overrides the `origin` `remote`. */
  readonly domain?: string | undefined
  /** An address or a network (CIDR): only users who have used an address inside it. */
  readonly ip?: string | undefined
}

/** The parameter `filter` of sql/functions/staff_accounts_query.sql. */
interface SqlFilter {
  readonly [name: string]: string | true | readonly string[]
}

const idsQuery = query(
  'administration/accounts/list',
  {
    filter: c.json<SqlFilter>(),
    max_id: c.nullable(c.id),
    since_id: c.nullable(c.id),
    min_id: c.nullable(c.id),
    limit: c.integer,
  },
  { id: c.id },
)

/** The ids of the accounts, newest first. */
export async function findAccounts(runner: Runner, filter: AccountFilter, range: Range): Promise<Id[]> {
  const sqlFilter = toSqlFilter(filter)
  if (!sqlFilter) return []
  return (await runner.run(idsQuery, { filter: sqlFilter, ...rangeParameters(range) })).map(({ id }) => id)
}

/** The filter as SQL expects it; undefined when no account can match. */
export function toSqlFilter(filter: AccountFilter): SqlFilter | undefined {
  const text = (value: string | undefined): string | undefined => value?.trim().replaceAll('\0', '') || undefined
  const address = text(filter.ip)
  const ip = address === undefined ? undefined : parseNetwork(address)
  if (address !== undefined && ip === undefined) return undefined
  const domain = text(filter.domain)
  const roles = filter.roleIds?.filter(id => id === BASE_ROLE || parseId(id) !== undefined)
  const conditions = {
    origin: domain !== undefined && filter.origin === 'remote' ? undefined : filter.origin,
    status: filter.status,
    staff: filter.staff === true ? (true as const) : undefined,
    role_ids: filter.roleIds && filter.roleIds.length > 0 ? roles : undefined,
    invited_by: filter.invitedBy,
    username: text(filter.username)?.replace(/^@/, ''),
    display_name: text(filter.displayName),
    email: text(filter.email),
    domain: domain === undefined ? undefined : storedDomain(domain),
    ip,
  }
  const sqlFilter: Record<string, string | true | readonly string[]> = {}
  for (const [name, value] of Object.entries(conditions)) if (value !== undefined) sqlFilter[name] = value
  return sqlFilter
}
