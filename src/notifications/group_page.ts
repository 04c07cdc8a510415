import { c, query } from '../platform/database/index.ts'
import type { Range } from '../platform/http/index.ts'
import type { Id } from '../core/id.ts'
import type { Viewer } from '../core/viewer.ts'
import type { Services } from '../platform/services.ts'
import { prefetchOwn } from '../statuses/index.ts'
import { toGroups, type Group } from './group_members.ts'
import { renderGroups, type GroupOptions, type RenderedGroups } from './group_render.ts'
import { bottomOf, groupedTypesOf, selectGroups, type GroupSelection } from './group_rows.ts'
import { groupRecent, recentColumns, type Grouped, type RecentRow } from './recent_groups.ts'
import { typesOf } from './select.ts'
import { findFollowsIfVisible, type KnownFollows } from './visible_follows.ts'
import { NOTIFICATION_TYPES } from './type.ts'
import { viewerPages, type KeptPage } from './viewer_pages.ts'

const findRecent = query(
  'notifications/recent_groups',
  { viewer: c.id, max_id: c.nullable(c.id), limit: c.integer },
  recentColumns,
  { pipelined: true },
)

/** A page of groups, newest first. */
export interface GroupPage extends KeptPage {
  readonly groups: readonly Group[]
  readonly follows: KnownFollows
}

/** Objects, pointers and the strings that groups do not share. */
const GROUP_BYTES = 250
const POINTER_BYTES = 8
const FOLLOW_BYTES = 50

function toPage(groups: readonly Group[], follows: KnownFollows): GroupPage {
  let sizeBytes = follows.size * FOLLOW_BYTES
  for (const { group_key, sample } of groups)
    sizeBytes += GROUP_BYTES + group_key.length + sample.length * POINTER_BYTES
  return { groups, follows, sizeBytes }
}

/** The selected groups of an account, from memory as long as no event concerns them. */
export async function renderGroupPage(
  services: Services,
  viewer: Viewer,
  chosen: GroupSelection,
  range: Range,
  options: Omit<GroupOptions, 'follows'>,
): Promise<RenderedGroups> {
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
    chosen.grouped_types,
  ])
  return viewerPages(services).grouped.render(
    viewer.id,
    key,
    () => loadPage(services, viewer.id, chosen, range),
    ({ groups, follows }) => renderGroups(services, viewer, groups, { ...options, follows }),
  )
}

async function loadPage(services: Services, viewer: Id, chosen: GroupSelection, range: Range): Promise<GroupPage> {
  prefetchOwn(services, viewer)
  const { max_id: top } = range
  const recent = await findInRecent(services, viewer, chosen, range)
  if (recent) {
    const cut = { bottom: recent.bottom, top }
    const [groups, follows] = await Promise.all([
      toGroups(services, viewer, recent.rows, cut, recent.members),
      findFollowsIfVisible(services, viewer, recent.used),
    ])
    if (follows) return toPage(groups, follows)
  }
  const rows = await selectGroups(services, viewer, chosen, range)
  return toPage(await toGroups(services, viewer, rows, { bottom: bottomOf(rows, range), top }), new Map())
}

/** The number of notifications that are read first for a group. */
const DEPTH = 2
/** The number that are read at once after these, and the limit of all. */
const STEP = 80
const MAX_DEPTH = 240

/** The groups, if the newest notifications of all types suffice. */
async function findInRecent(
  { database }: Services,
  viewer: Id,
  chosen: GroupSelection,
  { limit, max_id, since_id, min_id }: Range,
): Promise<Grouped | undefined> {
  if (limit === 0 || min_id !== undefined || typesOf(chosen) !== undefined) return undefined
  if (chosen.account_id !== undefined && chosen.account_id !== '') return undefined
  const asked = {
    types: new Set<string>(NOTIFICATION_TYPES),
    grouped: new Set<string>(groupedTypesOf(chosen)),
    filtered: chosen.include_filtered,
    limit,
    max_id,
    since_id,
  }
  const rows: RecentRow[] = []
  for (let depth = DEPTH * limit; depth > 0; depth = Math.min(STEP, MAX_DEPTH - rows.length)) {
    const older = await database.run(findRecent, { viewer, max_id: rows.at(-1)?.id ?? max_id ?? null, limit: depth })
    rows.push(...older)
    const isAll = older.length < depth
    const found = groupRecent(rows, asked, isAll)
    if (found || isAll) return found
  }
  return undefined
}
