import { renderAccounts } from '../../accounts/index.ts'
import type { Id } from '../../core/id.ts'
import { effectivePermissions } from '../../core/permissions.ts'
import type { Viewer } from '../../core/viewer.ts'
import { c, query } from '../../platform/database/index.ts'
import { Json } from '../../platform/http/index.ts'
import type { Services } from '../../platform/services.ts'

interface UsedIp {
  readonly ip: string
  readonly used_at: string
}

interface RoleRow {
  readonly id: string
  readonly name: string
  /** Those of the role and of the base role. */
  readonly permissions: number
  readonly color: string
  readonly highlighted: boolean
  readonly collection_limit: number
}

const entitiesQuery = query(
  'administration/accounts/entities',
  { ids: c.ids },
  {
    id: c.id,
    username: c.text,
    domain: c.nullable(c.text),
    created_at: c.timestamp,
    sensitized: c.boolean,
    silenced: c.boolean,
    suspended: c.boolean,
    user_id: c.nullable(c.id),
    email: c.nullable(c.text),
    locale: c.nullable(c.text),
    sign_up_reason: c.nullable(c.text),
    confirmed: c.boolean,
    approved: c.nullable(c.boolean),
    disabled: c.nullable(c.boolean),
    ips: c.nullable(c.json<UsedIp[]>()),
    role: c.nullable(c.json<RoleRow>()),
    created_by_application_id: c.nullable(c.id),
    invited_by_account_id: c.nullable(c.id),
  },
)

/**
 * The Admin::Account entities by id; accounts that do not exist are missing.
 * @param viewer null for a webhook
 */
export async function renderAdminAccounts(
  services: Services,
  viewer: Viewer | null,
  ids: readonly Id[],
): Promise<Map<Id, Json>> {
  const uniqueIds = [...new Set(ids)]
  const [rows, accounts] = await Promise.all([
    services.database.run(entitiesQuery, { ids: uniqueIds }),
    renderAccounts(services, viewer, uniqueIds),
  ])
  return new Map(
    rows.flatMap(row => {
      const account = accounts.get(row.id)
      if (!account) return []
      const { user_id: user, ips, role, created_by_application_id: application, invited_by_account_id: inviter } = row
      const members = {
        id: row.id,
        username: row.username,
        domain: row.domain,
        created_at: row.created_at,
        email: row.email,
        ip: ips?.[0]?.ip ?? null,
        ips,
        locale: row.locale,
        invite_request: row.sign_up_reason,
        role: role && { ...role, permissions: String(effectivePermissions(role.permissions)) },
        confirmed: user === null ? null : row.confirmed,
        approved: row.approved,
        disabled: row.disabled,
        sensitized: row.sensitized,
        silenced: row.silenced,
        suspended: row.suspended,
        ...(application !== null && { created_by_application_id: application }),
        ...(inviter !== null && { invited_by_account_id: inviter }),
      }
      return [[row.id, new Json(`${JSON.stringify(members).slice(0, -1)},"account":${account.text}}`)]]
    }),
  )
}
