import { renderAccounts } from '../accounts/index.ts'
import { c, query } from '../platform/database/index.ts'
import { Json } from '../platform/http/index.ts'
import type { Id } from '../core/id.ts'
import type { Viewer } from '../core/viewer.ts'
import type { Services } from '../platform/services.ts'

interface Appeal {
  readonly text: string
  readonly state: 'approved' | 'rejected' | 'pending'
}

const findWarnings = query(
  'moderation/warnings',
  { ids: c.ids },
  {
    id: c.id,
    action: c.text,
    text: c.text,
    status_ids: c.nullable(c.ids),
    target_account_id: c.id,
    created_at: c.timestamp,
    appeal: c.nullable(c.json<Appeal>()),
  },
)

/** The AccountWarning entities by id. */
export async function renderWarnings(
  services: Services,
  viewer: Viewer,
  ids: readonly Id[],
): Promise<ReadonlyMap<Id, Json>> {
  const rows = await services.database.run(findWarnings, { ids: [...ids] })
  const accounts = await renderAccounts(services, viewer, [...new Set(rows.map(row => row.target_account_id))])
  return new Map(
    rows.flatMap(({ id, action, text, status_ids, target_account_id: target, created_at, appeal }) => {
      const account = accounts.get(target)
      const head = JSON.stringify({ id, action, text, status_ids }).slice(0, -1)
      const tail = JSON.stringify({ appeal, created_at }).slice(1)
      return account ? [[id, new Json(`${head},"target_account":${account.text},${tail}`)]] : []
    }),
  )
}
