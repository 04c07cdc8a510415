import { accountFragments, renderAccounts } from '../accounts/index.ts'
import { query, c } from '../platform/database/index.ts'
import { Json } from '../platform/http/index.ts'
import type { Id } from '../core/id.ts'
import type { Viewer } from '../core/viewer.ts'
import type { Services } from '../platform/services.ts'
import { renderStatuses } from '../statuses/index.ts'
import { renderDetails } from './details.ts'
import { renderFallback } from './fallback.ts'
import { notificationColumns, type NotificationRow } from './row.ts'
import { TYPES_WITH_STATUS } from './type.ts'

/** One visible notification of the viewer. */
export const findNotification = query('notifications/find', { viewer: c.id, notification: c.id }, notificationColumns)

export interface NotificationOptions {
  /**
   * The types that the client supports (`supported_types`); others get a fallback. Absent: no
   * fallbacks.
   */
  supported?: readonly string[] | undefined
}

const statusOf = (row: NotificationRow): Id | undefined =>
  row.status_id !== null && TYPES_WITH_STATUS.has(row.type) ? row.status_id : undefined

/**
 * The entities of the recipient's notifications, in the order of the rows. A notification whose
 * status is no longer visible is omitted.
 */
export async function renderNotifications(
  services: Services,
  viewer: Viewer,
  rows: readonly NotificationRow[],
  { supported }: NotificationOptions = {},
): Promise<Map<Id, Json>> {
  if (rows.length === 0) return new Map()
  const accountIds = [...new Set(rows.map(row => row.from_account_id))]
  const statusIds = [...new Set(rows.flatMap(row => statusOf(row) ?? []))]
  const [accounts, statuses, details, fragments] = await Promise.all([
    renderAccounts(services, viewer, accountIds),
    renderStatuses(services, viewer, statusIds),
    renderDetails(services, viewer, rows, { grouped: false }),
    supported && accountFragments(services).get(accountIds),
  ])
  const rendered = new Map<Id, Json>()
  for (const row of rows) {
    const account = accounts.get(row.from_account_id)
    const statusId = statusOf(row)
    const status = statusId === undefined ? undefined : statuses.get(statusId)
    if (!account || (statusId !== undefined && !status)) continue
    const happening = { type: row.type, account: fragments?.get(row.from_account_id), members: 1 }
    const fallback = renderFallback(happening, { supported, locale: viewer.locale }, services.config)
    rendered.set(
      row.id,
      new Json([
        `{"id":"${row.id}","type":${JSON.stringify(row.type)},"group_key":${JSON.stringify(row.group_key)}` +
          `,"created_at":${JSON.stringify(row.created_at)},"account":`,
        ...account.pieces,
        row.filtered ? ',"filtered":true' : '',
        ...(status ? [',"status":', ...status.pieces] : []),
        `${details.get(row.id) ?? ''}${fallback}}`,
      ]),
    )
  }
  return rendered
}

/**
 * The entity of one notification of the viewer; undefined if it, or its subject, was deleted or is
 * hidden.
 */
export async function renderNotification(
  services: Services,
  viewer: Viewer,
  id: Id,
  options: NotificationOptions = {},
): Promise<Json | undefined> {
  const row = await services.database.one(findNotification, { viewer: viewer.id, notification: id })
  return row && (await renderNotifications(services, viewer, [row], options)).get(id)
}
