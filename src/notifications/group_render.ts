import { accountFragments, renderAccounts } from '../accounts/index.ts'
import { c, query } from '../platform/database/index.ts'
import { Json, list } from '../platform/http/index.ts'
import type { Id } from '../core/id.ts'
import type { Viewer } from '../core/viewer.ts'
import type { Services } from '../platform/services.ts'
import { renderStatuses } from '../statuses/index.ts'
import { renderDetails } from './details.ts'
import { renderFallback } from './fallback.ts'
import { isAlone } from './group_key.ts'
import type { GroupRow } from './group_rows.ts'
import { TYPES_WITH_STATUS } from './type.ts'

const findMembers = query(
  'notifications/group_members',
  { viewer: c.id, keys: c.texts, bottom: c.id, top: c.id },
  { group_key: c.text, sample: c.ids, oldest: c.nullable(c.id), members: c.integer },
)

/** Above all ids. */
const MAX_SIZE: Id = '9223372036854775807'

export interface GroupOptions {
  /**
   * The lower bound of the page, from which groups report their members. Absent if they are not a
   * page.
   */
  readonly bottom?: Id
  /**
   * The upper bound of the page; its groups are shown as of that point. Absent: as they are now.
   */
  readonly top?: Id | undefined
  /** Whether only the newest account of each group is rendered in full. */
  readonly partialAvatars?: boolean
  /** The types that the client supports; others get a fallback. Absent: no fallbacks. */
  readonly supported?: readonly string[] | undefined
}

interface Members {
  /** The accounts that caused the newest notifications, newest first, without duplicates. */
  readonly sample: readonly Id[]
  readonly oldest: Id | null
  readonly members: number
}

/**
 * The entity GroupedNotificationsResults of the viewer's groups. A group whose status is no longer
 * visible is omitted.
 */
export async function renderGroups(
  services: Services,
  viewer: Viewer,
  rows: readonly GroupRow[],
  options: GroupOptions = {},
): Promise<Json> {
  const members = await readMembers(services, viewer.id, rows, options)
  const statuses = await renderStatuses(services, viewer, [...new Set(rows.flatMap(row => statusOf(row) ?? []))])
  const known = rows.filter(row => {
    const status = statusOf(row)
    return status === undefined || statuses.has(status)
  })
  const groups = known.map(row => ({ row, members: members.get(row.group_key) ?? aloneIn(row) }))
  const { full, partial } = shareAccounts(groups, options)
  const [details, accounts, fragments] = await Promise.all([
    renderDetails(services, viewer, known, { grouped: true }),
    renderAccounts(services, viewer, full),
    accountFragments(services).get([...new Set(groups.flatMap(({ members: { sample } }) => sample))]),
  ])
  const reader = { supported: options.supported, locale: viewer.locale }
  const shown = groups.map(({ row, members: one }) => {
    const happening = { type: row.type, account: fragments.get(row.from_account_id), members: one.members }
    const fallback = renderFallback(happening, reader, services.config)
    return renderGroup(row, one, `${details.get(row.id) ?? ''}${fallback}`, options.bottom)
  })
  const partials = partial && list(partial.flatMap(id => fragments.get(id)?.partial ?? []))
  const used = new Set(known.flatMap(row => statusOf(row) ?? []))
  return new Json([
    '{"accounts":',
    ...list(full.flatMap(id => accounts.get(id) ?? [])).pieces,
    ...(partials ? [',"partial_accounts":', ...partials.pieces] : []),
    ',"statuses":',
    ...list([...used].flatMap(id => statuses.get(id) ?? [])).pieces,
    ',"notification_groups":',
    ...list(shown).pieces,
    '}',
  ])
}

const statusOf = (row: GroupRow): Id | undefined =>
  row.status_id !== null && TYPES_WITH_STATUS.has(row.type) ? row.status_id : undefined

const aloneIn = (row: GroupRow): Members => ({ sample: [row.from_account_id], oldest: row.id, members: 1 })

async function readMembers(
  { database }: Services,
  viewer: Id,
  rows: readonly GroupRow[],
  { bottom = '0', top = MAX_SIZE }: GroupOptions,
): Promise<Map<string, Members>> {
  const keys = rows.map(row => row.group_key).filter(key => !isAlone(key))
  const found = keys.length === 0 ? [] : await database.run(findMembers, { viewer, keys, bottom, top })
  return new Map(
    found.map(({ group_key, sample, oldest, members }) => [
      group_key,
      { sample: [...new Set(sample)], oldest, members },
    ]),
  )
}

/** Splits the accounts into those rendered in full and those rendered partially. */
function shareAccounts(
  groups: readonly { members: Members }[],
  { partialAvatars = false }: GroupOptions,
): { full: Id[]; partial: Id[] | undefined } {
  const all = new Set(groups.flatMap(({ members }) => members.sample))
  if (!partialAvatars) return { full: [...all], partial: undefined }
  const newest = new Set(groups.flatMap(({ members }) => members.sample.slice(0, 1)))
  return { full: [...newest], partial: [...all].filter(id => !newest.has(id)) }
}

/** The entity NotificationGroup. @param rest the members that come last */
function renderGroup(row: GroupRow, { sample, oldest, members }: Members, rest: string, bottom: Id | undefined): Json {
  const status = statusOf(row)
  const latest = JSON.stringify(row.created_at)
  return new Json(
    `{"group_key":${JSON.stringify(row.group_key)},"notifications_count":${members},"type":${JSON.stringify(row.type)}` +
      `,"most_recent_notification_id":${row.id}` +
      (bottom === undefined
        ? ''
        : `,"page_min_id":"${oldest ?? row.id}","page_max_id":"${row.id}","latest_page_notification_at":${latest}`) +
      `,"sample_account_ids":${JSON.stringify(sample)}` +
      (status === undefined ? '' : `,"status_id":"${status}"`) +
      `${rest}}`,
  )
}
