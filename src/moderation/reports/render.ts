import { renderAccounts } from '../../accounts/index.ts'
import { c, query } from '../../platform/database/index.ts'
import { Json } from '../../platform/http/index.ts'
import type { Id } from '../../core/id.ts'
import type { Viewer } from '../../core/viewer.ts'
import type { Services } from '../../platform/services.ts'

const findReports = query(
  'moderation/reports/by_ids',
  { ids: c.ids },
  {
    id: c.id,
    target_account_id: c.id,
    action_taken_at: c.nullable(c.timestamp),
    category: c.text,
    comment: c.text,
    forwarded: c.nullable(c.boolean),
    created_at: c.timestamp,
    status_ids: c.ids,
    rule_ids: c.nullable(c.ids),
    collection_ids: c.ids,
  },
)

/** The Report entities by id. */
export async function renderReports(
  services: Services,
  viewer: Viewer,
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, Json>> {
  const rows = await services.database.run(findReports, { ids: [...ids] })
  const accounts = await renderAccounts(services, viewer, [...new Set(rows.map(row => row.target_account_id))])
  return new Map(
    rows.flatMap(({ id, target_account_id: target, action_taken_at, ...facts }) => {
      const account = accounts.get(target)
      const members = { id, action_taken: action_taken_at !== null, action_taken_at, ...facts }
      return account
        ? [[id, new Json(`${JSON.stringify(members).slice(0, -1)},"target_account":${account.text}}`)]]
        : []
    }),
  )
}
