import { compareIds, type Id } from '../core/id.ts'
import { internPiece } from '../core/interner.ts'
import { isUngrouped } from './group_key.ts'
import { ungroupedMembers, toGroup, type Group } from './group_members.ts'
import { bottomOf } from './group_rows.ts'
import type { RecentNotification } from './row.ts'

/** A person's newest notifications below `max_id`. */
export interface Recent {
  readonly rows: readonly RecentNotification[]
  /** The number of members of each group that older notifications belong to as well, by its key. */
  readonly unfinished: ReadonlyMap<string, number>
  /** Whether there are no older ones. */
  readonly isAll: boolean
}

/** Reads the column `unfinished` of `notifications/recent_groups`. */
export const readUnfinished = (lines: string | null): ReadonlyMap<string, number> =>
  new Map(
    lines?.split('\n').map(line => {
      const [key = '', members] = line.split(' ')
      return [key, Number(members)]
    }),
  )

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
  readonly used: readonly RecentNotification[]
}

/** The sample and the number of members that are counted, as in `group_members.sql`. */
const SAMPLE = 8
const COUNTED = 40

interface Open {
  readonly row: RecentNotification
  readonly isAlone: boolean
  /** Newest first, without filtered ones. */
  readonly members: RecentNotification[]
}

/**
 * Makes the page of groups that `groups.sql` and `group_members.sql` find, from a person's newest
 * notifications, if they suffice and none of them is hidden.
 * @returns undefined when they do not suffice
 */
export function groupRecent({ rows, unfinished, isAll }: Recent, asked: Grouping): Grouped | undefined {
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
    const group = toGroupOf(one, { floor, bottom, max_id: asked.max_id, unfinished })
    if (!group) return undefined
    groups.push(group)
  }
  return { groups, used: open.flatMap(({ members }) => members) }
}

/** The notifications of the page by the keys of their groups, in the order of the page. */
function collect(
  rows: readonly RecentNotification[],
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
  {
    floor,
    bottom,
    max_id,
    unfinished,
  }: { floor: Id; bottom: Id; max_id: Id | undefined; unfinished: Recent['unfinished'] },
): Group | undefined {
  const { id, type, from_account_id, status_id, created_at } = row
  const group_key = internPiece(row.group_key)
  const shown = { position: id, id, type, from_account_id, status_id, group_key, created_at }
  if (alone) return toGroup(shown, ungroupedMembers(row), true)
  const amount = unfinished.get(group_key)
  if (amount !== undefined && (members.length <= COUNTED || compareIds(bottom, floor) < 0)) return undefined
  // Of a group that continues above the page, only those below are counted.
  if (members.length > COUNTED && max_id !== undefined) return undefined
  return toGroup(
    shown,
    {
      sample: members.slice(0, SAMPLE).map(member => member.from_account_id),
      oldest: members.findLast(member => compareIds(member.id, bottom) >= 0)?.id ?? null,
      members: members.length > COUNTED ? Math.max(members.length, amount ?? 0) : members.length,
    },
    true,
  )
}
