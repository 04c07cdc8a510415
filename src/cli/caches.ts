import type { Command } from 'commander'
import { c, query, type Database } from '../platform/database/index.ts'
import type { Id } from '../core/id.ts'
import { findUser } from './accounts/user.ts'
import { flag, wholeNumber } from './flag.ts'
import { openProgress } from './progress.ts'
import { CliError } from './cli_error.ts'
import type { CliContext } from './cli_context.ts'

const logClear = query('cli/clear_caches', { what: c.text }, { events: c.events })
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

async function recount(session: CliContext, type: string): Promise<void> {
  const counting = { accounts: recountAccounts, statuses: recountStatuses }[type]
  if (!counting) throw new CliError(`Unknown type: ${type}`)
  const { database } = await session.services()
  const progress = openProgress(session, type)
  let count = 0
  for (let after: Id | null = '0'; after !== null;) {
    const done: { last: Id | null; recounted: number } | undefined = await database.one(counting, { after })
    count += done?.recounted ?? 0
    progress.add(done?.recounted ?? 0)
    after = done?.last ?? null
  }
  progress.end()
  session.print(`OK, recounted ${count} records`)
}

async function build(session: CliContext, username: string | undefined, options: { all?: boolean }): Promise<void> {
  const { database } = await session.services()
  if (username === undefined && !options.all) throw new CliError('No account(s) given')
  if (username !== undefined) {
    await findUser(database, username).catch((error: unknown) => {
      throw error instanceof CliError ? new CliError('No such account', { cause: error }) : error
    })
  }
  await clearCaches(database, 'feeds')
  if (username !== undefined) return session.print('OK')
  session.print(`Regenerated feeds for ${(await database.one(countUsers, {}))?.users ?? 0} accounts`)
}

/** The servers' caches and counters. Feeds are cached and rebuilt on demand. */
export function addCaches(program: Command, session: CliContext): void {
  const cache = program.command('cache').description('what servers hold in memory, and counters')
  cache
    .command('clear')
    .description('clear the caches of running servers')
    .action(() => forget(session, 'all'))
  cache
    .command('recount <type>')
    .description('recount: accounts or statuses')
    .option('-c, --concurrency <n>', 'accepted for compatibility', wholeNumber(1), 5)
    .action((type: string) => recount(session, type))
  const feeds = program.command('feeds').description('home and list feeds')
  const building = feeds
    .command('build [username]')
    .description('clear feeds, which are rebuilt on demand')
    .option('-c, --concurrency <n>', 'accepted for compatibility', wholeNumber(1), 5)
  flag(building, '--all', 'of everybody')
  building.action((username: string | undefined, options: { all?: boolean }) => build(session, username, options))
  feeds
    .command('clear')
    .description('let running servers forget all feeds')
    .action(() => forget(session, 'feeds'))
}
