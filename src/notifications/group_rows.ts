import { c, query, type Row } from '../platform/database/index.ts'
import type { Range } from '../platform/http/index.ts'
import { parseId, type Id } from '../core/id.ts'
import type { Services } from '../platform/services.ts'
import { typesOf, type Selection } from './select.ts'
import { NOTIFICATION_TYPES } from './type.ts'

/** The types whose notifications can be grouped. */
const GROUPED_TYPES = ['favourite', 'reblog', 'follow', 'admin.sign_up'] as const

/** The columns of groups, in all queries that read them. */
const columns = {
  /** The position for pagination. */
  position: c.id,
  group_key: c.text,
  /** Of the newest visible member, like the following columns. */
  id: c.id,
  type: c.text,
  from_account_id: c.id,
  status_id: c.nullable(c.id),
  created_at: c.timestamp,
} as const

export type GroupRow = Row<typeof columns>

const choice = {
  viewer: c.id,
  types: c.texts,
  grouped: c.texts,
  filtered: c.boolean,
  max_id: c.nullable(c.id),
} as const

const findGroups = query('notifications/groups', { ...choice, since_id: c.nullable(c.id), limit: c.integer }, columns)
const findGroupsAbove = query('notifications/groups_above', { ...choice, min_id: c.id, limit: c.integer }, columns)
const findFrom = query(
  'notifications/groups_from',
  {
    viewer: c.id,
    account: c.id,
    types: c.texts,
    grouped: c.texts,
    max_id: c.nullable(c.id),
    since_id: c.nullable(c.id),
    min_id: c.nullable(c.id),
    limit: c.integer,
  },
  columns,
)
const findGroup = query('notifications/group', { viewer: c.id, group_key: c.text }, columns)

export interface GroupSelection extends Selection {
  /** Absent: all types that can be grouped. Other types are ignored. */
  readonly grouped_types: readonly string[] | undefined
}

/** The types that are grouped. */
export function groupedTypesOf({ grouped_types: wanted }: GroupSelection): readonly string[] {
  return wanted === undefined ? GROUPED_TYPES : GROUPED_TYPES.filter(type => wanted.includes(type))
}

/** The smallest id of a page: a full page ends at its last group, any other at its limit. */
export function bottomOf(rows: readonly { readonly id: Id }[], { limit, since_id, min_id }: Range): Id {
  const cut = min_id ?? (rows.length < limit ? (since_id ?? '0') : undefined)
  return cut === undefined ? (rows.at(-1)?.id ?? '0') : String(BigInt(cut) + 1n)
}

/**
 * The selected groups of an account, newest first, without duplicates. The position of a group is
 * its newest member in the range, or its oldest if the page starts from `min_id`. So a group may be
 * in several pages, and paging covers every notification.
 */
export async function selectGroups(
  { database }: Services,
  viewer: Id,
  chosen: GroupSelection,
  { limit, max_id = null, since_id = null, min_id = null }: NullableRange,
): Promise<GroupRow[]> {
  const types = typesOf(chosen) ?? [...NOTIFICATION_TYPES]
  const grouped = groupedTypesOf(chosen)
  if (limit === 0 || types.length === 0) return []
  if (chosen.account_id !== undefined && chosen.account_id !== '') {
    const account = parseId(chosen.account_id)
    if (account === undefined) return []
    return database.run(findFrom, { viewer, account, types, grouped: [...grouped], max_id, since_id, min_id, limit })
  }
  const part = { viewer, types, grouped: [...grouped], filtered: chosen.include_filtered, max_id, limit }
  if (min_id === null) return database.run(findGroups, { ...part, since_id })
  return (await database.run(findGroupsAbove, { ...part, min_id })).reverse()
}

type NullableRange = { readonly [K in keyof Range]: Range[K] | null } & { readonly limit: number }

/** The group with this key, by its newest visible member. */
export const findGroupRow = ({ database }: Services, viewer: Id, key: string): Promise<GroupRow | undefined> =>
  database.one(findGroup, { viewer, group_key: key })
