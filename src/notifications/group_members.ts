import { c, query } from '../platform/database/index.ts'
import type { Id } from '../core/id.ts'
import { intern } from '../core/interner.ts'
import type { Services } from '../platform/services.ts'
import { isUngrouped } from './group_key.ts'
import type { GroupRow } from './group_rows.ts'
import { shareIds } from './row.ts'

const findMembers = query(
  'notifications/group_members',
  { viewer: c.id, keys: c.texts, bottom: c.id, top: c.id },
  { group_key: c.text, sample: c.ids, oldest: c.nullable(c.id), members: c.integer },
  { pipelined: true },
)

/** Above all ids. */
const MAX_SIZE: Id = '9223372036854775807'

const NONE_KNOWN: ReadonlyMap<string, Members> = new Map()

/** A group as an entity shows it. */
export interface Group extends Omit<GroupRow, 'created_at'> {
  /** As in the entity. */
  readonly created_at: string
  /** The accounts that caused the newest notifications, newest first, without duplicates. */
  readonly sample: readonly Id[]
  readonly members: number
  /**
   * The oldest member of the page that the group is shown on; undefined when it is not on a page.
   */
  readonly oldest: Id | undefined
}

/** The part of a list that a page shows: groups count only members in it. */
export interface IdRange {
  /** The smallest id. */
  readonly bottom: Id
  /** All ids are below it; undefined if there is no such bound. */
  readonly top: Id | undefined
}

/** What a page shows of the members of a group. */
export interface Members {
  readonly sample: readonly Id[]
  readonly oldest: Id | null
  readonly members: number
}

/** @param isOnPage whether the oldest member is part of the entity */
const toGroup = ({ created_at, ...row }: GroupRow, { sample, oldest, members }: Members, isOnPage: boolean): Group => ({
  ...shareIds(row),
  created_at: created_at.toISOString(),
  sample: [...new Set(sample)].map(intern),
  members,
  oldest: isOnPage ? (oldest ?? row.id) : undefined,
})

/** An ungrouped notification. */
const ungroupedMembers = (row: Pick<GroupRow, 'id' | 'from_account_id'>): Members => ({
  sample: [row.from_account_id],
  oldest: row.id,
  members: 1,
})

/**
 * The groups of these rows with their members.
 * @param cut the page that they are on; undefined: they are shown as they are now
 * @param known members that need not be read, by the keys of their groups
 */
export async function toGroups(
  { database }: Services,
  viewer: Id,
  rows: readonly GroupRow[],
  cut?: IdRange,
  known: ReadonlyMap<string, Members> = NONE_KNOWN,
): Promise<Group[]> {
  const keys = rows.map(row => row.group_key).filter(key => !isUngrouped(key) && !known.has(key))
  const { bottom = '0', top = MAX_SIZE } = cut ?? {}
  const found = keys.length === 0 ? [] : await database.run(findMembers, { viewer, keys, bottom, top })
  const members = new Map(found.map(one => [one.group_key, one]))
  return rows.map(row => {
    const shown = known.get(row.group_key) ?? members.get(row.group_key) ?? ungroupedMembers(row)
    return toGroup(row, shown, cut !== undefined)
  })
}
