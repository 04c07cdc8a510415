import { line, timestamp } from './copy.ts'
import { snowflakeAt } from './people.ts'
import { statusId } from './posts.ts'
import { createRandom } from './random.ts'
import type { FirstIds, Table } from './tables.ts'
import { TOPICS } from './words.ts'
import type { Dataset } from './dataset.ts'

/**
 * Data that few accounts have: pins, lists, followed hashtags, direct conversations. The rows are
 * few and generated at once.
 */
export interface SmallTables {
  pins: readonly { account: number; status: number }[]
  tagFollows: readonly { account: number; tag: number }[]
  lists: readonly { account: number; title: string; follows: readonly number[] }[]
  conversations: readonly { root: number; people: readonly [number, number]; statuses: readonly number[] }[]
}

const NONE = -1
const DIRECT = 3
const PIN_SHARE = 0.2
const TAG_FOLLOW_SHARE = 0.3
const LIST_SHARE = 0.1
const MAX_LISTED = 20

/** Generates the rows. @param tags the number of hashtags */
export function generateSmallTables(dataset: Dataset, tags: number): SmallTables {
  const { people, posts, graph, size } = dataset
  const random = createRandom(size.seed, 'extras')
  const pins: SmallTables['pins'][number][] = []
  const pinned = new Set<number>()
  for (let index = 0; index < posts.size; index += 1) {
    const account = posts.authors[index] ?? 0
    const isOwn = posts.originals[index] === NONE && posts.visibilities[index] !== DIRECT
    if (!isOwn || posts.parents[index] !== NONE || pinned.has(account)) continue
    pinned.add(account)
    if (random.chance(PIN_SHARE)) pins.push({ account, status: index })
  }
  const tagFollows: SmallTables['tagFollows'][number][] = []
  const owners = new Map<number, number[]>()
  for (let account = 0; account < people.size; account += 1) {
    if (tags > 0 && random.chance(TAG_FOLLOW_SHARE)) {
      const chosen = new Set([random.below(tags), random.below(Math.min(tags, 20))])
      for (const tag of chosen) tagFollows.push({ account, tag })
    }
    if (random.chance(LIST_SHARE)) owners.set(account, [])
  }
  graph.follows.sources.forEach((source, index) => {
    const members = owners.get(source)
    if (members && members.length < MAX_LISTED) members.push(index)
  })
  const lists = [...owners].map(([account, follows]) => ({ account, title: random.pick(TOPICS), follows }))
  const conversations = new Map<number, { root: number; people: [number, number]; statuses: number[] }>()
  for (let index = 0; index < posts.size; index += 1) {
    if (posts.visibilities[index] !== DIRECT || posts.originals[index] !== NONE) continue
    const root = posts.roots[index] ?? index
    const other = posts.mentioned[posts.mentionStarts[index] ?? 0] ?? 0
    const conversation = conversations.get(root)
    if (conversation) conversation.statuses.push(index)
    else conversations.set(root, { root, people: [posts.authors[index] ?? 0, other], statuses: [index] })
  }
  return { pins, tagFollows, lists, conversations: [...conversations.values()] }
}

const toTable = <T>(
  table: string,
  columns: readonly string[],
  items: readonly T[],
  row: (item: T, index: number) => string,
): Table => ({
  table,
  columns,
  rows: items.length,
  *lines() {
    for (const [index, item] of items.entries()) yield row(item, index)
  },
})

/** The small tables, in an order that satisfies foreign keys. */
export function smallTables(dataset: Dataset, rows: SmallTables, first: FirstIds, tagIds: readonly string[]): Table[] {
  const { people, posts, graph, size } = dataset
  const { ids } = people
  const random = createRandom(size.seed, 'unread')
  const end = timestamp(people.endMs)
  const members = rows.lists.flatMap((list, index) => list.follows.map(follow => ({ list: index, follow })))
  const entries = rows.conversations.flatMap(({ root, people: [a, b], statuses }) => [
    { root, owner: a, other: b, statuses },
    { root, owner: b, other: a, statuses },
  ])
  const firstId = (table: string): number => first[table] ?? 0
  return [
    toTable('status_pins', ['id', 'account_id', 'status_id', 'created_at'], rows.pins, ({ account, status }, index) =>
      line([
        firstId('status_pins') + index,
        ids[account] ?? null,
        statusId(posts, status),
        timestamp(posts.timesMs[status] ?? 0),
      ]),
    ),
    toTable('tag_follows', ['id', 'account_id', 'tag_id', 'created_at'], rows.tagFollows, ({ account, tag }, index) =>
      line([firstId('tag_follows') + index, ids[account] ?? null, tagIds[tag] ?? null, end]),
    ),
    toTable(
      'lists',
      ['id', 'account_id', 'title', 'created_at', 'updated_at'],
      rows.lists,
      ({ account, title }, index) => line([firstId('lists') + index, ids[account] ?? null, title, end, end]),
    ),
    toTable('list_accounts', ['list_id', 'account_id', 'follow_id'], members, ({ list, follow }) =>
      line([firstId('lists') + list, ids[graph.follows.targets[follow] ?? 0] ?? null, firstId('follows') + follow]),
    ),
    toTable(
      'account_conversations',
      ['id', 'account_id', 'conversation_id', 'participant_account_ids', 'status_ids', 'last_status_id', 'unread'],
      entries,
      ({ root, owner, other, statuses }, index) => {
        const statusIds = statuses.map(status => statusId(posts, status))
        const last = statuses.at(-1) ?? root
        return line([
          snowflakeAt(posts.timesMs[root] ?? 0, posts.from + index),
          ids[owner] ?? null,
          statusId(posts, root),
          `{${ids[other] ?? ''}}`,
          `{${statusIds.join(',')}}`,
          statusIds.at(-1) ?? null,
          posts.authors[last] !== owner && random.chance(0.5),
        ])
      },
    ),
  ]
}
