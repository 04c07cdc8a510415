import { compareIds, type Id } from '../core/id.ts'
import type { Row } from '../platform/database/index.ts'
import { c } from '../platform/database/index.ts'
import { isUngrouped } from './group_key.ts'
import { ungroupedMembers, toGroup, type Group } from './group_members.ts'
import { bottomOf } from './group_rows.ts'
import { notificationColumns } from './row.ts'

/** The columns of `notifications/recent_groups`. */
export const recentColumns = {
  ...notificationColumns,
  /** The members of a group that older notifications belong to as well; null otherwise. */
  members: c.nullable(c.integer),
  followed: c.boolean,
} as const

export type RecentRow = Row<typeof recentColumns>

export interface Grouping {
  readonly types: ReadonlySet<string>
  /** The types whose notifications are grouped. */
  readonly grouped: ReadonlySet<string>
  readonly filtered: boolean
  readonly limit: number
  readonly max_id?: Id | undefined
  readonly since_id?: Id | undefined
}

export interface Grouped {
  readonly groups: readonly Group[]
  /** The notifications from which the groups were built. */
  readonly used: readonly RecentRow[]
}

/** The sample and the number of members that are counted, as in `group_members.sql`. */
const SAMPLE = 8
const COUNTED = 40

interface Open {
  readonly row: RecentRow
  readonly isAlone: boolean
  /** Newest first, without filtered ones. */
  readonly members: RecentRow[]
}

/**
 * Makes the page of groups that `groups.sql` and `group_members.sql` find, from a person's newest
 * notifications below `max_id`, if they suffice and none of them is hidden.
 * @param isAll whether there are no older ones
 * @returns undefined when they do not suffice
 */
export function groupRecent(rows: readonly RecentRow[], asked: Grouping, isAll: boolean): Grouped | undefined {
  const open = [...collect(rows, asked).values()]
  const floor = isAll ? '0' : (rows.at(-1)?.id ?? '0')
  const isFull = open.length === asked.limit
  if (!isFull && !isAll && compareIds(asked.since_id ?? '0', floor) < 0) return undefined
  const bottom = bottomOf(
    open.map(({ row }) => row),
    asked,
  )
  const groups: Group[] = []
  for (const one of open) {
    const group = toGroupOf(one, { floor, bottom, max_id: asked.max_id })
    if (!group) return undefined
    groups.push(group)
  }
  return { groups, used: open.flatMap(({ members }) => members) }
}

/** The notifications of the page by the keys of their groups, in the order of the page. */
function collect(
  rows: readonly RecentRow[],
  { types, grouped, filtered, limit, since_id = '0' }: Grouping,
): ReadonlyMap<string, Open> {
  const open = new Map<string, Open>()
  for (const row of rows) {
    if (!types.has(row.type)) continue
    const inGroup = grouped.has(row.type) && !isUngrouped(row.group_key)
    if (row.filtered && (inGroup || !filtered)) continue
    const key = inGroup ? row.group_key : `ungrouped-${row.id}`
    const known = open.get(key)
    if (known) known.members.push(row)
    else if (open.size < limit && compareIds(row.id, since_id) > 0)
      open.set(key, { row: { ...row, group_key: key }, isAlone: !inGroup, members: [row] })
  }
  return open
}

/** The group with its members; undefined when not all of them are known. */
function toGroupOf(
  { row, isAlone: alone, members }: Open,
  { floor, bottom, max_id }: { floor: Id; bottom: Id; max_id: Id | undefined },
): Group | undefined {
  const { id, type, from_account_id, status_id, group_key, created_at } = row
  const shown = { position: id, id, type, from_account_id, status_id, group_key, created_at }
  if (alone) return toGroup(shown, ungroupedMembers(row), true)
  const isWhole = row.members === null
  if (!isWhole && (members.length <= COUNTED || compareIds(bottom, floor) < 0)) return undefined
  // Of a group that continues above the page, only those below are counted.
  if (members.length > COUNTED && max_id !== undefined) return undefined
  return toGroup(
    shown,
    {
      sample: members.slice(0, SAMPLE).map(member => member.from_account_id),
      oldest: members.findLast(member => compareIds(member.id, bottom) >= 0)?.id ?? null,
      members: members.length > COUNTED ? Math.max(members.length, row.members ?? 0) : members.length,
    },
    true,
  )
}
