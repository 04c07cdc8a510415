import type { Command } from 'commander'
import { isCounted, recount } from '../moderation/tasks/index.ts'
import { clearCaches, clearFeedsOf } from '../platform/cache/clear.ts'
import { c, query } from '../platform/database/index.ts'
import { findLocal } from './accounts/user.ts'
import { concurrency, flag } from './flag.ts'
import { logOperatorAction } from './log_operator_action.ts'
import { openProgress } from './progress.ts'
import { CliError } from './cli_error.ts'
import type { CliContext } from './cli_context.ts'

const countUsers = query('cli/count_users', {}, { users: c.integer })
async function clear(context: CliContext, scope: 'all' | 'feeds'): Promise<void> {
  await clearCaches((await context.services()).database, scope)
  context.print('OK')
}

async function recountAll(context: CliContext, type: string, verbose: boolean): Promise<void> {
  if (!isCounted(type)) throw new CliError(`Unknown type: ${type}`)
  const { database } = await context.services()
  const target = { accounts: 'Account', statuses: 'Status' }[type]
  await logOperatorAction(database, 'recount', { type: target, name: `cache recount ${type}` })
  const progress = openProgress(context, type)
  let count = 0
  await recount(database, type, {
    each(amount) {
      count += amount
      progress.add(amount)
      if (verbose) context.print(`${count} records`)
    },
  })
  progress.end()
  context.print(`OK, recounted ${count} records`)
}

interface BuildOptions {
  all?: boolean
  skipFilledTimelines?: boolean
  verbose?: boolean
  dryRun?: boolean
}

/**
 * `feeds build`. Feeds exist in memory only and are rebuilt on demand, so there is nothing to do if
 * those in memory are to be kept. @throws CliError
 */
async function build(context: CliContext, username: string | undefined, options: BuildOptions): Promise<void> {
  const { database } = await context.services()
  const dry = options.dryRun ? ' (DRY RUN)' : ''
  const keepsFeeds = options.dryRun === true || options.skipFilledTimelines === true
  if (options.all) {
    if (!keepsFeeds) await clearCaches(database, 'feeds')
    const users = options.skipFilledTimelines ? 0 : ((await database.one(countUsers, {}))?.users ?? 0)
    return context.print(`Regenerated feeds for ${users} accounts${dry}`)
  }
  if (username === undefined) throw new CliError('No account(s) given')
  const account = await findLocal(database, username)
  if (!account || account.user_id === null) throw new CliError('No such account')
  if (!keepsFeeds) await clearFeedsOf(database, null, account.id)
  if (options.verbose) context.print(account.username)
  context.print(`OK${dry}`)
}

/** The commands on caches, counters and feeds. */
export function addCaches(program: Command, context: CliContext): void {
  const cache = program.command('cache').description('clear caches and recount counters')
  cache
    .command('clear')
    .description('clear the caches of running servers')
    .action(() => clear(context, 'all'))
  flag(cache.command('recount <type>'), '-v, --verbose', 'print intermediate counts')
    .description('recount the counters of accounts or statuses')
    .option('-c, --concurrency <n>', 'accepted for compatibility', concurrency, 5)
    .action((type: string, options: { verbose?: boolean }) => recountAll(context, type, options.verbose === true))
  const feeds = program.command('feeds').description('manage home and list feeds')
  const buildCommand = feeds
    .command('build [username]')
    .description('clear the feeds of an account; they are rebuilt on demand')
    .option('-c, --concurrency <n>', 'accepted for compatibility', concurrency, 5)
  flag(buildCommand, '--all', 'all accounts')
  flag(buildCommand, '--skip-filled-timelines', 'keep feeds that are in memory; others need no rebuilding')
  flag(buildCommand, '-v, --verbose', 'print the account')
  flag(buildCommand, '--dry-run', 'change nothing')
  buildCommand.action((username: string | undefined, options: BuildOptions) => build(context, username, options))
  feeds
    .command('clear')
    .description('clear all feeds of running servers')
    .action(() => clear(context, 'feeds'))
}
