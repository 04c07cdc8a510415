import { accountFragments, renderAccounts, type AccountFragment } from '../accounts/index.ts'
import { query, c } from '../platform/database/index.ts'
import { Json, type Chunk } from '../platform/http/index.ts'
import type { Id } from '../core/id.ts'
import type { Viewer } from '../core/viewer.ts'
import type { Services } from '../platform/services.ts'
import { renderStatuses } from '../statuses/index.ts'
import { renderDetails } from './details.ts'
import { renderFallback } from './fallback.ts'
import { notificationColumns, statusOf, toListed, type ListedNotification } from './row.ts'
import type { KnownFollows } from './visible_follows.ts'
import type { RenderedPage } from './viewer_pages.ts'

/** One visible notification of the viewer. */
export const findNotification = query('notifications/find', { viewer: c.id, notification: c.id }, notificationColumns)

export interface NotificationOptions {
  /**
   * The types that the client supports (`supported_types`); others get a fallback. Absent: no
   * fallbacks.
   */
  supported?: readonly string[] | undefined
  follows?: KnownFollows
}

/** The rendered parts of notifications, by id. */
interface Parts {
  readonly accounts: ReadonlyMap<Id, Json>
  readonly statuses: ReadonlyMap<Id, Json>
  readonly details: ReadonlyMap<Id, string>
  /** Undefined when there are no fallbacks. */
  readonly fragments: ReadonlyMap<Id, AccountFragment> | undefined
}

async function loadParts(
  services: Services,
  viewer: Viewer,
  rows: readonly ListedNotification[],
  { supported, follows }: NotificationOptions,
): Promise<Parts> {
  const accountIds = new Set<Id>()
  const statusIds = new Set<Id>()
  for (const row of rows) {
    accountIds.add(row.from_account_id)
    const status = statusOf(row)
    if (status !== undefined) statusIds.add(status)
  }
  const [accounts, statuses, details, fragments] = await Promise.all([
    renderAccounts(services, viewer, [...accountIds], follows),
    renderStatuses(services, viewer, [...statusIds]),
    renderDetails(services, viewer, rows, { grouped: false }),
    supported && accountFragments(services).get(accountIds),
  ])
  return { accounts, statuses, details, fragments }
}

/**
 * Adds the entity Notification. Returns false, without output, when its account or status was
 * deleted or is hidden.
 */
function add(
  pieces: Chunk[],
  row: ListedNotification,
  { accounts, statuses, details, fragments }: Parts,
  fallbackOf: (type: string, account: AccountFragment | undefined) => string,
): boolean {
  const account = accounts.get(row.from_account_id)
  const statusId = statusOf(row)
  const status = statusId === undefined ? undefined : statuses.get(statusId)
  if (!account || (statusId !== undefined && !status)) return false
  pieces.push(row.head)
  for (const piece of account.pieces) pieces.push(piece)
  if (row.filtered) pieces.push(',"filtered":true')
  if (status) {
    pieces.push(',"status":')
    for (const piece of status.pieces) pieces.push(piece)
  }
  const detail = details.get(row.id)
  if (detail !== undefined) pieces.push(detail)
  if (fragments) pieces.push(fallbackOf(row.type, fragments.get(row.from_account_id)))
  pieces.push('}')
  return true
}

export interface RenderedNotifications extends RenderedPage {
  /** An array of entities. */
  readonly json: Json
  readonly rows: readonly ListedNotification[]
}

/**
 * The entities of the recipient's notifications, in the order of the rows. A notification whose
 * status is no longer visible is omitted.
 */
export async function renderNotifications(
  services: Services,
  viewer: Viewer,
  rows: readonly ListedNotification[],
  options: NotificationOptions = {},
): Promise<RenderedNotifications> {
  if (rows.length === 0) return { json: new Json('[]'), rows, isComplete: true }
  const parts = await loadParts(services, viewer, rows, options)
  const reader = { supported: options.supported, locale: viewer.locale }
  const fallbackOf = (type: string, account: AccountFragment | undefined): string =>
    renderFallback({ type, account, members: 1 }, reader, services.config)
  const pieces: Chunk[] = ['[']
  let shown = 0
  for (const row of rows) {
    if (shown > 0) pieces.push(',')
    if (add(pieces, row, parts, fallbackOf)) shown += 1
    else if (shown > 0) pieces.pop()
  }
  pieces.push(']')
  return { json: new Json(pieces), rows, isComplete: shown === rows.length }
}

/**
 * The entity of one notification of the viewer; undefined if it, or its subject, was deleted or is
 * hidden.
 */
export async function renderNotification(
  services: Services,
  viewer: Viewer,
  id: Id,
  { supported }: Pick<NotificationOptions, 'supported'> = {},
): Promise<Json | undefined> {
  const row = await services.database.one(findNotification, { viewer: viewer.id, notification: id })
  if (!row) return undefined
  const { json, isComplete } = await renderNotifications(services, viewer, [toListed(row)], { supported })
  return isComplete ? new Json(json.pieces.slice(1, -1)) : undefined
}
