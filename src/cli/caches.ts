import type { Command } from 'commander'
import { c, query, type Database } from '../platform/database/index.ts'
import type { Id } from '../core/id.ts'
import { findLocal } from './accounts/user.ts'
import { concurrency, flag } from './flag.ts'
import { openProgress } from './progress.ts'
import { CliError } from './cli_error.ts'
import type { CliContext } from './cli_context.ts'

const logClear = query('cli/clear_caches', { what: c.text }, { events: c.events })
const clearFeeds = query('cli/clear_feeds', { account: c.id }, { events: c.events })
const countUsers = query('cli/count_users', {}, { users: c.integer })
const recounted = { last: c.nullable(c.id), recounted: c.integer, events: c.events } as const
const recountAccounts = query('cli/recount_accounts', { after: c.id }, recounted)
const recountStatuses = query('cli/recount_statuses', { after: c.id }, recounted)

/** Makes every running server clear its memory: everything, or the feeds. */
export const clearCaches = (database: Database, what: 'all' | 'feeds'): Promise<unknown> =>
  database.run(logClear, { what })

async function forget(session: CliContext, what: 'all' | 'feeds'): Promise<void> {
  await clearCaches((await session.services()).database, what)
  session.print('OK')
}

async function recount(session: CliContext, type: string, verbose: boolean): Promise<void> {
  const counting = { accounts: recountAccounts, statuses: recountStatuses }[type]
  if (!counting) throw new CliError(`Unknown type: ${type}`)
  const { database } = await session.services()
  const progress = openProgress(session, type)
  let count = 0
  for (let after: Id | null = '0'; after !== null;) {
    const done: { last: Id | null; recounted: number } | undefined = await database.one(counting, { after })
    count += done?.recounted ?? 0
    progress.add(done?.recounted ?? 0)
    if (verbose && done) session.print(`${count} records`)
    after = done?.last ?? null
  }
  progress.end()
  session.print(`OK, recounted ${count} records`)
}

interface BuildOptions {
  all?: boolean
  skipFilledTimelines?: boolean
  verbose?: boolean
  dryRun?: boolean
}

/**
 * `feeds build`. Feeds are in memory only, and read again when they are next asked for, so that
 * nothing is left to do when those in memory are to stay. @throws CliError
 */
async function build(session: CliContext, username: string | undefined, options: BuildOptions): Promise<void> {
  const { database } = await session.services()
  const dry = options.dryRun ? ' (DRY RUN)' : ''
  const skips = options.dryRun === true || options.skipFilledTimelines === true
  if (options.all) {
    if (!skips) await clearCaches(database, 'feeds')
    const users = options.skipFilledTimelines ? 0 : ((await database.one(countUsers, {}))?.users ?? 0)
    return session.print(`Regenerated feeds for ${users} accounts${dry}`)
  }
  if (username === undefined) throw new CliError('No account(s) given')
  const found = await findLocal(database, username)
  if (!found || found.user_id === null) throw new CliError('No such account')
  if (!skips) await database.run(clearFeeds, { account: found.id })
  if (options.verbose) session.print(found.username)
  session.print(`OK${dry}`)
}

/** The servers' caches and counters. Feeds are cached and rebuilt on demand. */
export function addCaches(program: Command, session: CliContext): void {
  const cache = program.command('cache').description('what servers hold in memory, and counters')
  cache
    .command('clear')
    .description('clear the caches of running servers')
    .action(() => forget(session, 'all'))
  flag(cache.command('recount <type>'), '-v, --verbose', 'print how many, from time to time')
    .description('recount: accounts or statuses')
    .option('-c, --concurrency <n>', 'accepted for compatibility', concurrency, 5)
    .action((type: string, options: { verbose?: boolean }) => recount(session, type, options.verbose === true))
  const feeds = program.command('feeds').description('home and list feeds')
  const building = feeds
    .command('build [username]')
    .description('clear the feeds of somebody, which are read again on demand')
    .option('-c, --concurrency <n>', 'accepted for compatibility', concurrency, 5)
  flag(building, '--all', 'of everybody')
  flag(building, '--skip-filled-timelines', 'leave feeds that are in memory; others need nothing')
  flag(building, '-v, --verbose', 'print the account')
  flag(building, '--dry-run', 'change nothing')
  building.action((username: string | undefined, options: BuildOptions) => build(session, username, options))
  feeds
    .command('clear')
    .description('let running servers forget all feeds')
    .action(() => forget(session, 'feeds'))
}
