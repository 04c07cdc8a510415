import { c, query, type Database } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import type { FollowOptions, ListRelations, Relations, RepliesPolicy } from './relations.ts'

interface ParticularFollow extends FollowOptions {
  readonly id: Id
}

interface ListRow {
  readonly id: Id
  readonly replies_policy: RepliesPolicy
  readonly exclusive: boolean
  readonly members: readonly Id[]
}

const relationsOf = query(
  'accounts/relationships/of',
  { viewer: c.id },
  {
    follows: c.ids,
    follow_times: c.bytes,
    particular: c.nullable(c.json<ParticularFollow[]>()),
    tags: c.nullable(c.json<Record<string, readonly [id: Id, followedMs: number]>>()),
    blocks: c.ids,
    blocked_by: c.ids,
    mutes: c.nullable(c.json<Record<Id, number | null>>()),
    domains: c.texts,
    lists: c.nullable(c.json<ListRow[]>()),
    groups_boosts: c.boolean,
    newest_follow_ms: c.float,
  },
  { pipelined: true },
)

/** Shared by all follows without options, which are nearly all. */
const DEFAULT_OPTIONS: FollowOptions = { reblogs: true, notify: false, languages: null }

/** Loads the relationships of an account. An account that does not exist has none. */
export async function loadRelations(database: Database, owner: Id): Promise<Relations> {
  const row = await database.one(relationsOf, { viewer: owner })
  if (!row) throw new Error('accounts/relationships/of returned no row')
  const follows = new Map<Id, FollowOptions>()
  for (const id of row.follows) follows.set(id, DEFAULT_OPTIONS)
  for (const { id, reblogs, notify, languages } of row.particular ?? []) follows.set(id, { reblogs, notify, languages })
  const tags = Object.entries(row.tags ?? {})
  const lists = new Map((row.lists ?? []).map(list => [list.id, toList(list)]))
  const exclusive = new Set<Id>()
  for (const list of lists.values()) if (list.exclusive) for (const member of list.members) exclusive.add(member)
  return {
    owner,
    follows,
    followTimes: row.follow_times,
    tags: new Map(tags.map(([name, [id]]) => [name, id])),
    tagsFollowedMs: new Map(tags.map(([name, [, ms]]) => [name, ms])),
    blocks: new Set(row.blocks),
    blockedBy: new Set(row.blocked_by),
    mutes: new Map(Object.entries(row.mutes ?? {}).map(([id, until]) => [id, until ?? Number.POSITIVE_INFINITY])),
    domains: new Set(row.domains),
    lists,
    exclusive,
    groupsBoosts: row.groups_boosts,
    newestFollowMs: row.newest_follow_ms,
  }
}

const toList = (row: ListRow): ListRelations => ({
  id: row.id,
  repliesPolicy: row.replies_policy,
  exclusive: row.exclusive,
  members: new Set(row.members),
})
