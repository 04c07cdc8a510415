import { renderAccounts } from '../../accounts/index.ts'
import { c, type Row } from '../../platform/database/index.ts'
import { Json } from '../../platform/http/index.ts'
import type { Viewer } from '../../core/viewer.ts'
import type { Services } from '../../platform/services.ts'
import { renderStatuses } from '../../statuses/index.ts'

/** The columns of requests, in all queries that read them. */
export const requestColumns = {
  id: c.id,
  from_account_id: c.id,
  last_status_id: c.nullable(c.id),
  notifications_count: c.integer,
  created_at: c.timestamp,
  updated_at: c.timestamp,
} as const

/** The entities of the viewer's requests, in the order of the rows. */
export async function renderRequests(
  services: Services,
  viewer: Viewer,
  rows: readonly Row<typeof requestColumns>[],
): Promise<Json[]> {
  const [accounts, statuses] = await Promise.all([
    renderAccounts(services, viewer, [...new Set(rows.map(row => row.from_account_id))]),
    renderStatuses(services, viewer, [...new Set(rows.flatMap(row => row.last_status_id ?? []))]),
  ])
  return rows.flatMap(row => {
    const account = accounts.get(row.from_account_id)
    if (!account) return []
    const last = row.last_status_id === null ? undefined : statuses.get(row.last_status_id)
    return new Json(
      `{"id":"${row.id}","created_at":${JSON.stringify(row.created_at)},"updated_at":${JSON.stringify(row.updated_at)}` +
        `,"notifications_count":"${row.notifications_count}","account":${account.text},"last_status":${last?.text ?? 'null'}}`,
    )
  })
}
