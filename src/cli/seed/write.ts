import { c, query, type Database } from '../../platform/database/index.ts'
import { normaliseTag } from '../../core/text/index.ts'
import { attachmentTables } from './attachments.ts'
import { planRebuild, rebuild, type Rebuild } from './batches.ts'
import { copyLines, timestamp } from './copy.ts'
import { generateSmallTables, smallTables } from './small_tables.ts'
import { countTargets } from './graph.ts'
import type { Sample } from './pictures.ts'
import {
  accountTable,
  conversationTable,
  followTable,
  favouriteTable,
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

const reserveQuery = query('cli/seed/reserve_ids', { table_name: c.text, amount: c.bigint }, { first: c.bigint })
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
const refreshContents = query('cli/seed/refresh_contents', { accounts: c.ids }, {})
const groupNotifications = query('cli/seed/group_notifications', { accounts: c.ids }, {})

export interface WriteOptions {
  /** Whether real people use the database: nothing of theirs may change. */
  isInUse: boolean
  publicUrl: string
  passwordHash: string
  /** The pictures of attachments. */
  samples: readonly Sample[]
  /** Called with the number of rows before the first one is written. */
  onStart(rows: number): void
  onRows(rows: number): void
  onStep(message: string): void
}

const CONNECTIONS = 2
/** Keeps statements short: a long one delays the event log of running servers. */
const BATCH_ACCOUNTS = 1000
const MAX_REPORTS = 200
const MAX_NEWCOMERS = 50
const ANALYZED_TABLES =
  'accounts, account_stats, users, follows, follow_requests, blocks, mutes, conversations, statuses, status_stats, mentions, tags, ' +
  'status_tags, favourites, bookmarks, status_pins, tag_follows, lists, list_accounts, account_conversations, notifications, notification_groups, media_attachments, preview_cards, preview_cards_statuses, polls'

/** Reserves the ids of each table with a counter. */
async function reserveIds(database: Database, amounts: Readonly<Record<string, number>>): Promise<FirstIds> {
  const first: Record<string, number> = {}
  for (const [table, amount] of Object.entries(amounts)) {
    if (amount === 0) continue
    const found = await database.one(reserveQuery, { table_name: table, amount: String(amount) })
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
  const usedRanks = [...lastUsedMs.keys()].filter(rank => lastUsedMs[rank] !== undefined)
  const names = usedRanks.map(rank => normaliseTag(tagName(rank)))
  const stored = await database.run(addTags, {
    names,
    display_names: usedRanks.map(tagName),
    last_used: usedRanks.map(rank => timestamp(lastUsedMs[rank] ?? 0)),
  })
  const idByName = new Map(stored.map(row => [row.name, row.id]))
  const ids: string[] = []
  usedRanks.forEach((rank, index) => (ids[rank] = idByName.get(names[index] ?? '') ?? ''))
  return ids
}

/**
 * Derived data, account by account: counters, and the groups of notifications, which a trigger
 * otherwise creates one by one. Then what moderators see, and the counters of days, which triggers
 * have counted otherwise: counting anew loses those of rows that are gone.
 */
async function writeDerived(
  database: Database,
  { people, posts, graph }: Dataset,
  withoutTriggers: boolean,
): Promise<void> {
  for (let from = 0; from < people.size; from += BATCH_ACCOUNTS) {
    const indexes = Array.from({ length: Math.min(BATCH_ACCOUNTS, people.size - from) }, (_, index) => from + index)
    const accounts = indexes.map(account => people.ids[account] ?? '')
    if (!withoutTriggers) await database.run(refreshContents, { accounts })
    await database.run(groupNotifications, { accounts })
    await database.run(countAccounts, {
      accounts,
      statuses: indexes.map(account => String(posts.written[account] ?? 0)),
      following: indexes.map(account => String(countTargets(graph.followees, account))),
      followers: indexes.map(account => String(countTargets(graph.followers, account))),
      last_status_at: indexes.map(account =>
        posts.lastWrittenMs[account] ? timestamp(posts.lastWrittenMs[account]) : '',
      ),
    })
  }
  await writeModeration(database, people)
  if (withoutTriggers) await database.run(countDays, {})
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
async function disableTriggers(client: Client): Promise<boolean> {
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
  options: WriteOptions & { readonly withoutTriggers: boolean },
): Promise<void> {
  for (const stage of stages) {
    const remaining = [...stage]
    const writeNext = (): Promise<void> =>
      database.withClient(async client => {
        await client.query('set synchronous_commit = off')
        if (options.withoutTriggers) await disableTriggers(client)
        try {
          for (let next = remaining.shift(); next; next = remaining.shift()) {
            if (next.rows === 0) continue
            options.onStep(next.table)
            const target = next
            const lines = next.lines()
            const indexes = rebuilds.get(target.table) ?? []
            await rebuild(client, target.table, indexes, () => copyLines(client, target, lines, options.onRows))
          }
        } finally {
          await client.query('reset session_replication_role').catch(() => undefined)
          await client.query('reset synchronous_commit')
        }
      })
    await Promise.all(Array.from({ length: CONNECTIONS }, writeNext))
  }
}

const canDisableTriggers = (database: Database): Promise<boolean> =>
  database.withClient(async client => {
    const isAllowed = await disableTriggers(client)
    if (isAllowed) await client.query('reset session_replication_role')
    return isAllowed
  })

/** Writes a dataset and derived data: counters, statistics for the planner. */
export async function writeDataset(
  database: Database,
  dataset: Dataset,
  options: WriteOptions,
): Promise<Record<string, number>> {
  const { people, graph, posts, attachments, favourites, bookmarks, notifications } = dataset
  const tagIds = await writeTags(database, dataset)
  const usedTagIds = tagIds.filter(id => id !== undefined)
  const smallRows = generateSmallTables(dataset, usedTagIds.length)
  const first = await reserveIds(database, {
    users: people.size,
    follows: graph.follows.sources.length,
    follow_requests: graph.requests.sources.length,
    blocks: graph.blocks.sources.length,
    mutes: graph.mutes.sources.length,
    mentions: posts.mentioned.length,
    favourites: favourites.accounts.length,
    bookmarks: bookmarks.accounts.length,
    notifications: notifications.size,
    status_pins: smallRows.pins.length,
    tag_follows: smallRows.tagFollows.length,
    lists: smallRows.lists.length,
    polls: attachments.polls.length,
  })
  const accounts = [accountTable(dataset, options.publicUrl)]
  const relations = [
    userTable(dataset, first, options.passwordHash),
    followTable(dataset, first),
    relationTable(dataset, 'follow_requests', graph.requests, first),
    relationTable(dataset, 'blocks', graph.blocks, first),
    relationTable(dataset, 'mutes', graph.mutes, first),
    conversationTable(dataset),
  ]
  const statuses = [statusTable(dataset, options.publicUrl)]
  const dependents = [
    notificationTable(dataset, first),
    favouriteTable(dataset, 'favourites', favourites, first),
    favouriteTable(dataset, 'bookmarks', bookmarks, first),
    mentionTable(dataset, first),
    statusTagTable(dataset, tagIds),
    statusStatsTable(dataset),
  ]
  const attached = attachmentTables(dataset, first, options.samples)
  const smallTableList = smallTables(dataset, smallRows, first, usedTagIds)
  const withoutTriggers = !options.isInUse && (await canDisableTriggers(database))
  const stages = withoutTriggers
    ? [[...statuses, ...accounts, ...relations, ...dependents, ...attached, ...smallTableList]]
    : [accounts, relations, statuses, dependents, ...[...attached, ...smallTableList].map(table => [table])]
  const tables = stages.flat()
  options.onStart(tables.reduce((sum, table) => sum + table.rows, 0))
  const rebuilds = new Map<string, Rebuild>()
  for (const { table, rows } of withoutTriggers ? tables : [])
    rebuilds.set(table, await planRebuild(database, table, rows))
  await writeStages(database, stages, rebuilds, { ...options, withoutTriggers })
  options.onStep('counters')
  await writeDerived(database, dataset, withoutTriggers)
  options.onStep('statistics')
  await database.withClient(client => client.query(`vacuum (analyze) ${ANALYZED_TABLES}`))
  return {
    ...Object.fromEntries(tables.map(table => [table.table, table.rows])),
    tags: usedTagIds.length,
  }
}
