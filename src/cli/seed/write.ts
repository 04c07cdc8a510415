import { c, query, type Database } from '../../platform/database/index.ts'
import { normaliseTag } from '../../core/text/index.ts'
import { attachmentTables } from './attachments.ts'
import { planRebuild, rebuild, type Rebuild } from './batches.ts'
import { copyLines, timestamp } from './copy.ts'
import { generateSmallTables, smallTables } from './small_tables.ts'
import { countOf } from './graph.ts'
import type { Sample } from './pictures.ts'
import {
  accountTable,
  conversationTable,
  followTable,
  likeTable,
  mentionTable,
  notificationTable,
  relationTable,
  statusStatsTable,
  statusTable,
  statusTagTable,
  userTable,
  type FirstIds,
  type Table,
} from './tables.ts'
import { tagName } from './texts.ts'
import type { Dataset } from './dataset.ts'

type Client = Parameters<Parameters<Database['withClient']>[0]>[0]

const reserve = query('cli/seed/reserve_ids', { table_name: c.text, amount: c.bigint }, { first: c.bigint })
const addTags = query(
  'cli/seed/add_tags',
  { names: c.texts, display_names: c.texts, last_used: c.texts },
  { id: c.id, name: c.text },
)
const countAccounts = query(
  'cli/seed/count_accounts',
  { accounts: c.ids, statuses: c.ids, following: c.ids, followers: c.ids, last_status_at: c.texts },
  {},
)
const countDays = query('cli/seed/count_days', {}, { counted: c.boolean })
const addModeration = query(
  'cli/seed/add_moderation',
  { accounts: c.ids, reports: c.integer, newcomers: c.integer, until: c.timestamp },
  { id: c.id },
)
const groupNotifications = query('cli/seed/group_notifications', { accounts: c.ids }, {})

export interface WriteOptions {
  publicUrl: string
  passwordHash: string
  /** The pictures of attachments. */
  samples: readonly Sample[]
  /** Called with the number of rows before the first one is written. */
  starts(rows: number): void
  wrote(rows: number): void
  step(what: string): void
}

const LANES = 2
/** Keeps statements short: a long one delays the event log of running servers. */
const ACCOUNTS_AT_ONCE = 1000
const MAX_REPORTS = 200
const MAX_NEWCOMERS = 50
const ANALYSED =
  'accounts, account_stats, users, follows, follow_requests, blocks, mutes, conversations, statuses, status_stats, mentions, tags, ' +
  'status_tags, favourites, bookmarks, status_pins, tag_follows, lists, list_accounts, account_conversations, notifications, notification_groups, media_attachments, preview_cards, preview_cards_statuses, polls'

/** Reserves the ids of each table with a counter. */
async function reserveIds(database: Database, amounts: Readonly<Record<string, number>>): Promise<FirstIds> {
  const first: Record<string, number> = {}
  for (const [table, amount] of Object.entries(amounts)) {
    if (amount === 0) continue
    const found = await database.one(reserve, { table_name: table, amount: String(amount) })
    first[table] = Number(found?.first ?? 1)
  }
  return first
}

/** Adds the hashtags, and returns the id of each by its index. */
async function writeTags(database: Database, { posts }: Dataset): Promise<string[]> {
  const lastUsedMs: number[] = []
  for (let index = 0; index < posts.size; index += 1) {
    for (let place = posts.tagStarts[index] ?? 0; place < (posts.tagStarts[index + 1] ?? 0); place += 1) {
      lastUsedMs[posts.tagged[place] ?? 0] = posts.timesMs[index] ?? 0
    }
  }
  const used = [...lastUsedMs.keys()].filter(rank => lastUsedMs[rank] !== undefined)
  const names = used.map(rank => normaliseTag(tagName(rank)))
  const stored = await database.run(addTags, {
    names,
    display_names: used.map(tagName),
    last_used: used.map(rank => timestamp(lastUsedMs[rank] ?? 0)),
  })
  const idOf = new Map(stored.map(row => [row.name, row.id]))
  const ids: string[] = []
  used.forEach((rank, index) => (ids[rank] = idOf.get(names[index] ?? '') ?? ''))
  return ids
}

/**
 * Derived data, account by account: counters, and the groups of notifications, which a trigger
 * otherwise creates one by one. Then what moderators see, and the counters of days.
 */
async function writeDerived(database: Database, { people, posts, graph }: Dataset): Promise<void> {
  for (let from = 0; from < people.size; from += ACCOUNTS_AT_ONCE) {
    const some = Array.from({ length: Math.min(ACCOUNTS_AT_ONCE, people.size - from) }, (_, index) => from + index)
    const accounts = some.map(account => people.ids[account] ?? '')
    await database.run(groupNotifications, { accounts })
    await database.run(countAccounts, {
      accounts,
      statuses: some.map(account => String(posts.written[account] ?? 0)),
      following: some.map(account => String(countOf(graph.followees, account))),
      followers: some.map(account => String(countOf(graph.followers, account))),
      last_status_at: some.map(account =>
        posts.lastWrittenMs[account] ? timestamp(posts.lastWrittenMs[account]) : '',
      ),
    })
  }
  await writeModeration(database, people)
  await database.run(countDays, {})
}

/** One report for twenty people and one newcomer for fifty; none in tiny datasets. */
async function writeModeration(database: Database, people: Dataset['people']): Promise<void> {
  await database.run(addModeration, {
    accounts: [...people.ids],
    reports: Math.min(MAX_REPORTS, Math.floor(people.size / 20)),
    newcomers: Math.min(MAX_NEWCOMERS, Math.floor(people.size / 50)),
    until: new Date(people.endMs),
  })
}

/**
 * Disables foreign key checks and counting triggers if the user has the permission (superusers do,
 * as in the embedded database): the data is consistent already, and it saves half of the time.
 */
async function switchOffTriggers(client: Client): Promise<boolean> {
  try {
    await client.query('set session_replication_role = replica')
    return true
  } catch {
    return false
  }
}

/** Writes tables on one connection each, stage by stage. */
async function writeStages(
  database: Database,
  stages: readonly (readonly Table[])[],
  rebuilds: ReadonlyMap<string, Rebuild>,
  options: WriteOptions,
): Promise<void> {
  for (const stage of stages) {
    const waiting = [...stage]
    const lane = (): Promise<void> =>
      database.withClient(async client => {
        await client.query('set synchronous_commit = off')
        await switchOffTriggers(client)
        try {
          for (let next = waiting.shift(); next; next = waiting.shift()) {
            if (next.rows === 0) continue
            options.step(next.table)
            const target = next
            const lines = next.lines()
            const indexes = rebuilds.get(target.table) ?? []
            await rebuild(client, target.table, indexes, () => copyLines(client, target, lines, options.wrote))
          }
        } finally {
          await client.query('reset session_replication_role').catch(() => undefined)
          await client.query('reset synchronous_commit')
        }
      })
    await Promise.all(Array.from({ length: LANES }, lane))
  }
}

const canSwitchOff = (database: Database): Promise<boolean> =>
  database.withClient(async client => {
    const may = await switchOffTriggers(client)
    if (may) await client.query('reset session_replication_role')
    return may
  })

/** Writes a dataset and derived data: counters, statistics for the planner. */
export async function writeDataset(
  database: Database,
  world: Dataset,
  options: WriteOptions,
): Promise<Record<string, number>> {
  const { people, graph, posts, attachments, favourites, bookmarks, notices } = world
  const tagIds = await writeTags(database, world)
  const usedTagIds = tagIds.filter(id => id !== undefined)
  const extras = generateSmallTables(world, usedTagIds.length)
  const first = await reserveIds(database, {
    users: people.size,
    follows: graph.follows.sources.length,
    follow_requests: graph.requests.sources.length,
    blocks: graph.blocks.sources.length,
    mutes: graph.mutes.sources.length,
    mentions: posts.mentioned.length,
    favourites: favourites.accounts.length,
    bookmarks: bookmarks.accounts.length,
    notifications: notices.size,
    status_pins: extras.pins.length,
    tag_follows: extras.tagFollows.length,
    lists: extras.lists.length,
    polls: attachments.polls.length,
  })
  const accounts = [accountTable(world, options.publicUrl)]
  const relations = [
    userTable(world, first, options.passwordHash),
    followTable(world, first),
    relationTable(world, 'follow_requests', graph.requests, first),
    relationTable(world, 'blocks', graph.blocks, first),
    relationTable(world, 'mutes', graph.mutes, first),
    conversationTable(world),
  ]
  const statuses = [statusTable(world, options.publicUrl)]
  const rest = [
    notificationTable(world, first),
    likeTable(world, 'favourites', favourites, first),
    likeTable(world, 'bookmarks', bookmarks, first),
    mentionTable(world, first),
    statusTagTable(world, tagIds),
    statusStatsTable(world),
  ]
  const attached = attachmentTables(world, first, options.samples)
  const few = smallTables(world, extras, first, usedTagIds)
  const free = await canSwitchOff(database)
  const stages = free
    ? [[...statuses, ...accounts, ...relations, ...rest, ...attached, ...few]]
    : [accounts, relations, statuses, rest, ...[...attached, ...few].map(table => [table])]
  const tables = stages.flat()
  options.starts(tables.reduce((sum, table) => sum + table.rows, 0))
  const rebuilds = new Map<string, Rebuild>()
  for (const { table, rows } of free ? tables : []) rebuilds.set(table, await planRebuild(database, table, rows))
  await writeStages(database, stages, rebuilds, options)
  options.step('counters')
  await writeDerived(database, world)
  options.step('statistics')
  await database.withClient(client => client.query(`vacuum (analyze) ${ANALYSED}`))
  return {
    ...Object.fromEntries(tables.map(table => [table.table, table.rows])),
    tags: usedTagIds.length,
  }
}
