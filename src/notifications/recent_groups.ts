import { compareIds, type Id } from '../core/id.ts'
import type { Row } from '../platform/database/index.ts'
import { c } from '../platform/database/index.ts'
import { isUngrouped, ungroupedKey } from './group_key.ts'
import type { Members } from './group_members.ts'
import { bottomOf, type GroupRow } from './group_rows.ts'
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
  /** The page, by the newest notification of each group. */
  readonly rows: readonly GroupRow[]
  /** The members by the keys of groups, without groups that need older notifications as well. */
  readonly members: ReadonlyMap<string, Members>
  /** The smallest id of the page. */
  readonly bottom: Id
  /** The notifications of the groups that are known. */
  readonly used: readonly RecentRow[]
}

/** The sample and the number of members that are counted, as in `group_members.sql`. */
const SAMPLE = 8
const COUNTED = 40

interface Open {
  readonly row: GroupRow
  /** The number of its members in the database if older ones than the rows belong to it. */
  readonly amount: number | null
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
  if (open.length < asked.limit && !isAll && compareIds(asked.since_id ?? '0', floor) < 0) return undefined
  const groups = open.map(({ row }) => row)
  const bottom = bottomOf(groups, asked)
  const members = new Map<string, Members>()
  for (const one of open) {
    const known = membersOf(one, bottom, asked.max_id)
    if (known) members.set(one.row.group_key, known)
  }
  return { rows: groups, members, bottom, used: open.flatMap(one => one.members) }
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
    const key = inGroup ? row.group_key : ungroupedKey(row.id)
    const known = open.get(key)
    if (known) known.members.push(row)
    else if (open.size < limit && compareIds(row.id, since_id) > 0)
      open.set(key, { row: toGroupRow(row, key), amount: inGroup ? row.members : null, members: [row] })
  }
  return open
}

function toGroupRow(row: RecentRow, key: string): GroupRow {
  const { id, type, from_account_id, status_id, created_at } = row
  return { position: id, id, type, from_account_id, status_id, group_key: key, created_at }
}

/** The members of a group; undefined when older notifications are needed for them. */
function membersOf({ amount, members }: Open, bottom: Id, max_id: Id | undefined): Members | undefined {
  // Hidden members are part of the amount, which is used only when so many are shown anyway; and of
  // a group that continues above the page, only those below are counted.
  if (amount !== null && (members.length <= COUNTED || max_id !== undefined)) return undefined
  return {
    sample: members.slice(0, SAMPLE).map(member => member.from_account_id),
    oldest: members.findLast(member => compareIds(member.id, bottom) >= 0)?.id ?? null,
    members: members.length > COUNTED ? Math.max(members.length, amount ?? 0) : members.length,
  }
}
