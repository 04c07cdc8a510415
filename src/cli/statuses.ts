import type { Command } from 'commander'
import { removeUnattached } from '../media/attachments/index.ts'
import { countRemoteStatuses, removeRemoteStatuses } from '../moderation/retention/index.ts'
import { c, query, type Database } from '../platform/database/index.ts'
import { flag, wholeNumber } from './flag.ts'
import { logOperatorAction } from './log_operator_action.ts'
import { openProgress } from './progress.ts'
import { addFetch } from './statuses_fetch.ts'
import type { CliContext } from './cli_context.ts'

const saveRemoval = query(
  'cli/save_removal',
  { before: c.timestamp, clean_followed: c.boolean, after: c.id, removed: c.integer, total: c.integer },
  {},
)
const unfinishedRemoval = query(
  'cli/unfinished_removal',
  {},
  { before: c.timestamp, clean_followed: c.boolean, after: c.id, removed: c.integer, total: c.integer },
)
const endRemoval = query('cli/end_removal', {}, {})
const orphanAttachments = query('cli/orphan_attachments', { before: c.timestamp }, { number: c.integer })
const orphanConversations = query('cli/orphan_conversations', { before: c.timestamp }, { ids: c.ids, total: c.integer })
const removeConversations = query('cli/remove_conversations', { ids: c.ids }, { id: c.id })

interface RemoveOptions {
  days: number
  batchSize: number
  continue?: boolean
  cleanFollowed?: boolean
  skipStatusRemove?: boolean
  skipMediaRemove?: boolean
  compressDatabase?: boolean
}

/** The result of a step of the removal. */
interface Removed {
  readonly removed: number
  /** The number of candidates. */
  readonly total: number
}

type Step = (each: (removed: number) => void) => Promise<Removed>

const DAY_MS = 86_400_000
const SECOND_MS = 1000
/** The tables that a removal fragments. */
const COMPRESSED_TABLES =
  'statuses, status_stats, status_tags, mentions, favourites, conversations, media_attachments, preview_cards_statuses'

/** A new removal, or the interrupted one. */
async function startRemoval(database: Database, options: RemoveOptions) {
  const unfinished = options.continue === true ? await database.one(unfinishedRemoval, {}) : undefined
  if (unfinished) return unfinished
  const before = new Date(Date.now() - options.days * DAY_MS)
  const total = await countRemoteStatuses(database, before)
  return { before, clean_followed: options.cleanFollowed === true, after: '0', removed: 0, total }
}

type Removal = Awaited<ReturnType<typeof startRemoval>>

/** Removes the statuses; the position is recorded after each batch, for `--continue`. */
const removeStatuses =
  (database: Database, removal: Removal, batchSize: number): Step =>
  async each => {
    const { before, clean_followed: cleanFollowed, after, total } = removal
    let { removed } = removal
    await removeRemoteStatuses(database, {
      before,
      batchSize,
      cleanFollowed,
      after,
      async each(amount, last) {
        removed += amount
        each(amount)
        if (last !== null) await database.run(saveRemoval, { ...removal, after: last, removed })
      },
    })
    await database.run(endRemoval, {})
    return { removed, total }
  }

/** Removes unattached attachments of all accounts, such as those of removed statuses. */
const removeAttachments =
  (database: Database, before: Date): Step =>
  async each => {
    const total = (await database.one(orphanAttachments, { before }))?.number ?? 0
    return { removed: await removeUnattached(database, { before, each }), total }
  }

/** Removes conversations without statuses. */
const removeOrphanConversations =
  (database: Database, before: Date, batchSize: number): Step =>
  async each => {
    const { ids = [], total = 0 } = (await database.one(orphanConversations, { before })) ?? {}
    let removed = 0
    for (let from = 0; from < ids.length; from += batchSize) {
      const rows = await database.run(removeConversations, { ids: ids.slice(from, from + batchSize) })
      removed += rows.length
      each(rows.length)
    }
    return { removed, total }
  }

/** Runs a step with a progress bar, and prints its result. */
async function runStep(context: CliContext, unit: string, step: Step): Promise<void> {
  const started = performance.now()
  const progress = openProgress(context, unit)
  const { removed, total } = await step(amount => progress.add(amount))
  progress.end()
  const seconds = Math.round((performance.now() - started) / SECOND_MS)
  context.print(`Done after ${seconds}s, removed ${removed} out of ${total} ${unit}.`)
}

async function remove(context: CliContext, options: RemoveOptions): Promise<void> {
  const { database } = await context.services()
  const { batchSize, days } = options
  const removal = await startRemoval(database, options)
  await logOperatorAction(database, 'purge', { type: 'Status', name: `${days} d` })
  if (options.skipStatusRemove !== true)
    await runStep(context, 'statuses', removeStatuses(database, removal, batchSize))
  if (options.skipMediaRemove !== true)
    await runStep(context, 'media_attachments', removeAttachments(database, removal.before))
  if (options.skipStatusRemove !== true)
    await runStep(context, 'conversations', removeOrphanConversations(database, removal.before, batchSize))
  if (options.compressDatabase === true)
    await database.withClient(client => client.query(`vacuum (full, analyze) ${COMPRESSED_TABLES}`))
}

/** The commands on statuses of other servers. */
export function addStatuses(program: Command, context: CliContext): void {
  const group = program.command('statuses').description('manage statuses of other servers')
  addFetch(group, context)
  const removal = group
    .command('remove')
    .description('remove old statuses without local interaction')
    .option('--days <n>', 'minimum age in days', wholeNumber(0), 90)
    .option('-b, --batch-size <n>', 'maximum concurrency', wholeNumber(1, 10_000), 1000)
  flag(removal, '--continue', 'continue an interrupted removal, with its days')
  flag(removal, '--clean-followed', 'also remove statuses of accounts with local followers')
  flag(removal, '--skip-status-remove', 'remove no statuses and conversations')
  flag(removal, '--skip-media-remove', 'remove no attachments without a status')
  flag(removal, '--compress-database', 'then return the space to the disk; this locks the tables meanwhile')
  removal.action((options: RemoveOptions) => remove(context, options))
}
