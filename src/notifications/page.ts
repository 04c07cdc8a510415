import { c, query } from '../platform/database/index.ts'
import { rangeParameters, type Range } from '../platform/http/index.ts'
import type { Id } from '../core/id.ts'
import type { Viewer } from '../core/viewer.ts'
import type { Services } from '../platform/services.ts'
import { prefetchOwn } from '../statuses/index.ts'
import { renderNotifications, type RenderedNotifications } from './render.ts'
import { notificationColumns, toListed, type ListedNotification, type NotificationRow } from './row.ts'
import { selectNotifications, typesOf, type Selection } from './select.ts'
import { findFollowsIfVisible, type KnownFollows } from './visible_follows.ts'
import { viewerPages, type KeptPage } from './viewer_pages.ts'

const findRecent = query(
  'notifications/recent',
  {
    viewer: c.id,
    filtered: c.boolean,
    max_id: c.nullable(c.id),
    since_id: c.nullable(c.id),
    min_id: c.nullable(c.id),
    limit: c.integer,
  },
  { ...notificationColumns, followed: c.boolean },
  { pipelined: true },
)

/** A page of notifications, newest first. */
export interface NotificationPage extends KeptPage {
  readonly rows: readonly ListedNotification[]
  readonly follows: KnownFollows
}

/** Objects, pointers and the id; the other ids are shared. */
const ROW_BYTES = 120
const FOLLOW_BYTES = 50

function toPage(found: readonly NotificationRow[], follows: KnownFollows): NotificationPage {
  const rows = found.map(toListed)
  let sizeBytes = follows.size * FOLLOW_BYTES
  for (const { head } of rows) sizeBytes += ROW_BYTES + head.length
  return { rows, follows, sizeBytes }
}

/**
 * The selected notifications of an account, newest first, from memory as long as no event concerns
 * them. A page is full if there are more.
 */
export async function renderPage(
  services: Services,
  viewer: Viewer,
  chosen: Selection,
  range: Range,
  supported: readonly string[] | undefined,
): Promise<RenderedNotifications> {
  const { limit, max_id, since_id, min_id } = range
  const key = JSON.stringify([
    limit,
    max_id,
    since_id,
    min_id,
    chosen.include_filtered,
    chosen.account_id,
    chosen.types,
    chosen.exclude_types,
  ])
  return viewerPages(services).single.render(
    viewer.id,
    key,
    () => loadPage(services, viewer.id, chosen, range),
    ({ rows, follows }) => renderNotifications(services, viewer, rows, { supported, follows }),
  )
}

const isOfAll = (chosen: Selection): boolean =>
  typesOf(chosen) === undefined && (chosen.account_id === undefined || chosen.account_id === '')

async function loadPage(services: Services, viewer: Id, chosen: Selection, range: Range): Promise<NotificationPage> {
  prefetchOwn(services, viewer)
  if (isOfAll(chosen) && range.limit > 0) {
    const part = { viewer, ...rangeParameters(range), filtered: chosen.include_filtered }
    const recent = await services.database.run(findRecent, part)
    const follows = await findFollowsIfVisible(services, viewer, recent)
    if (follows) return toPage(recent, follows)
  }
  return toPage(await selectNotifications(services, viewer, chosen, range), new Map())
}
