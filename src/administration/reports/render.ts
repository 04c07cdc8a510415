import type { Id } from '../../core/id.ts'
import type { Viewer } from '../../core/viewer.ts'
import { c, query } from '../../platform/database/index.ts'
import { Json } from '../../platform/http/index.ts'
import type { Services } from '../../platform/services.ts'
import { renderStatuses } from '../../statuses/index.ts'
import { renderAdminAccounts } from '../accounts/index.ts'

interface Rule {
  readonly id: string
  readonly text: string
  readonly hint: string
  readonly translations: Readonly<Record<string, { text: string; hint: string }>>
}

const entitiesQuery = query(
  'administration/reports/entities',
  { ids: c.ids },
  {
    id: c.id,
    action_taken: c.boolean,
    action_taken_at: c.nullable(c.timestamp),
    category: c.text,
    comment: c.text,
    forwarded: c.nullable(c.boolean),
    created_at: c.timestamp,
    updated_at: c.timestamp,
    account_id: c.id,
    target_account_id: c.id,
    assigned_account_id: c.nullable(c.id),
    action_taken_by_account_id: c.nullable(c.id),
    status_ids: c.ids,
    rules: c.json<Rule[]>(),
  },
)

/**
 * The Admin::Report entities by id. They contain the reported statuses regardless of visibility,
 * including deleted ones kept as evidence.
 * @param viewer null for a webhook
 */
export async function renderAdminReports(
  services: Services,
  viewer: Viewer | null,
  ids: readonly Id[],
): Promise<Map<Id, Json>> {
  const rows = await services.database.run(entitiesQuery, { ids: [...ids] })
  const accountIds = rows.flatMap(row => [
    row.account_id,
    row.target_account_id,
    row.assigned_account_id ?? [],
    row.action_taken_by_account_id ?? [],
  ])
  const statusIds = [...new Set(rows.flatMap(row => row.status_ids))]
  const [accounts, statuses] = await Promise.all([
    renderAdminAccounts(services, viewer, accountIds.flat()),
    renderStatuses(services, viewer, statusIds, { unseen: true, unfiltered: true, deleted: true }),
  ])
  const accountJson = (id: Id | null): string => (id === null ? undefined : accounts.get(id)?.text) ?? 'null'
  return new Map(
    rows.flatMap(row => {
      const { account_id, target_account_id, assigned_account_id, action_taken_by_account_id, ...rest } = row
      if (!accounts.has(account_id) || !accounts.has(target_account_id)) return []
      const { status_ids, rules, ...members } = rest
      const parts = [
        `"account":${accountJson(account_id)}`,
        `"target_account":${accountJson(target_account_id)}`,
        `"assigned_account":${accountJson(assigned_account_id)}`,
        `"action_taken_by_account":${accountJson(action_taken_by_account_id)}`,
        `"statuses":[${status_ids.flatMap(id => statuses.get(id)?.text ?? []).join(',')}]`,
        `"rules":${JSON.stringify(rules)}`,
      ]
      return [[row.id, new Json(`${JSON.stringify(members).slice(0, -1)},${parts.join(',')}}`)]]
    }),
  )
}
