import { randomBytes } from 'node:crypto'
import type { Command } from 'commander'
import { countUsers, findTypicalUsers, createToken, seedDatabase, shapeDatabase, type SeedSize } from './seed/index.ts'
import type { Id } from '../core/id.ts'
import { clearCaches } from '../platform/cache/clear.ts'
import { flag, wholeNumber, wholeNumbers } from './flag.ts'
import { openProgress, type Progress } from './progress.ts'
import { CliError } from './cli_error.ts'
import type { CliContext } from './cli_context.ts'
import { table } from './table.ts'

interface SeedOptions {
  accounts: number
  statuses: number
  followsPerAccount: number
  favourites?: number
  days: number
  password?: string
  seed: number
  until?: string
  tokens: number
  authors: number[]
  readers: number[]
  threads: number[]
  token?: boolean
  json?: boolean
  force?: boolean
}

const MINUTE_MS = 60_000
const FAVOURITES_PER_STATUS = 2
const BOOKMARKS_PER_FAVOURITE = 0.04
const STATUSES_PER_TAG = 25
const MAX_TAGS = 20_000
const PASSWORD_BYTES = 9

/** @throws CliError */
function parseEnd(text: string | undefined): number {
  if (text === undefined) return Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS
  const end = new Date(text).getTime()
  if (Number.isNaN(end)) throw new CliError('--until must be a date and time, such as 2030-01-31T12:00:00Z')
  if (end > Date.now()) throw new CliError('--until must not be in the future')
  return end
}

function toSeedSize(options: SeedOptions): SeedSize {
  const { accounts, days, seed, followsPerAccount } = options
  const statuses = accounts === 0 ? 0 : options.statuses
  const favourites = options.favourites ?? statuses * FAVOURITES_PER_STATUS
  return {
    accounts,
    statuses,
    followsPerAccount,
    favourites: statuses === 0 ? 0 : favourites,
    bookmarks: statuses === 0 ? 0 : Math.round(favourites * BOOKMARKS_PER_FAVOURITE),
    tags: Math.min(MAX_TAGS, Math.max(20, Math.round(statuses / STATUSES_PER_TAG))),
    days,
    untilMs: parseEnd(options.until),
    seed,
  }
}

/**
 * Seeds the database; the progress is a bar on a terminal, else a line for each step, both on
 * standard error.
 */
async function seedData(context: CliContext, size: SeedSize, password: string): Promise<Record<string, number>> {
  const { database, config, storage } = await context.services()
  const started = performance.now()
  let progress: Progress | undefined
  try {
    return await seedDatabase(database, size, {
      publicUrl: config.publicUrl,
      storage,
      password,
      onStart: rows => (progress = openProgress(context, 'rows', rows)),
      onRows: rows => progress?.add(rows),
      onStep(message) {
        const seconds = ((performance.now() - started) / 1000).toFixed(1)
        if (!context.showsProgress) context.warn(`${seconds.padStart(7)} s  ${message}`)
      },
    })
  } finally {
    progress?.end()
  }
}

/** Creates a token for each user, one by one: thousands at once would time out for a connection. */
async function withTokens<P extends { readonly user_id: Id }>(
  context: CliContext,
  people: readonly P[],
): Promise<(P & { token: string })[]> {
  const { database } = await context.services()
  const users: (P & { token: string })[] = []
  for (const person of people) users.push({ ...person, token: await createToken(database, person.user_id) })
  return users
}

async function shape(context: CliContext, options: SeedOptions, first: string[], password: string): Promise<object> {
  const { authors, readers, threads } = options
  if (authors.length + readers.length + threads.length === 0) return {}
  const { database } = await context.services()
  const step = (message: string): void => (context.showsProgress ? undefined : context.warn(message))
  const shaped = await shapeDatabase(database, { authors, readers, threads }, { first, password, step })
  return {
    authors: await withTokens(context, shaped.authors),
    readers: await withTokens(context, shaped.readers),
    threads: shaped.threads,
  }
}

async function seed(context: CliContext, options: SeedOptions): Promise<void> {
  const size = toSeedSize(options)
  const { database } = await context.services()
  const { others } = await countUsers(database)
  if (others > 0 && !options.force && size.accounts > 0) {
    throw new CliError(`The database has ${others} users that were not seeded; --force adds seeded users to them`)
  }
  const started = performance.now()
  const password = options.password ?? randomBytes(PASSWORD_BYTES).toString('base64url')
  const rows = size.accounts === 0 ? {} : await seedData(context, size, password)
  const tokenCount = options.token ? Math.max(1, options.tokens) : options.tokens
  const people = await findTypicalUsers(database, Math.max(1, tokenCount))
  const [typical] = people
  if (tokenCount > 0 && !typical) throw new CliError('There are no seeded users to create tokens for')
  const tokenUsers = people.slice(0, tokenCount)
  const tokens = (await withTokens(context, tokenUsers)).map(({ token }) => token)
  const first = tokenUsers.map(({ id }) => id)
  const shaped = await shape(context, options, first, password)
  if (size.accounts > 0 || 'authors' in shaped) await clearCaches(database, 'all')
  const seconds = Math.round((performance.now() - started) / 100) / 10
  if (options.json) {
    const account = typical && { id: typical.id, username: typical.username, email: typical.email }
    const passwordMember = size.accounts === 0 ? {} : { password }
    return context.print(
      JSON.stringify({
        seed: size.seed,
        seconds,
        rows,
        account,
        ...passwordMember,
        token: tokens[0],
        tokens,
        ...shaped,
      }),
    )
  }
  if (size.accounts > 0) {
    const counts = Object.entries(rows).sort(([a], [b]) => (a < b ? -1 : 1))
    for (const line of table(
      ['TABLE', 'ROWS'],
      counts.map(([name, count]) => [name, String(count)]),
    ))
      context.print(line)
    context.print('')
    context.print(
      `Seeded in ${seconds} s. Sign in as any user with the password ${password}, such as ${typical?.email ?? ''}`,
    )
  }
  tokens.forEach((token, index) => context.print(`Token of @${people[index]?.username ?? ''}: ${token}`))
}

/** The command that generates data for trials and benchmarks. */
export function addSeed(program: Command, context: CliContext): void {
  const command = program
    .command('seed')
    .description('fill the database with generated users and posts, for trials and benchmarks')
    .option(
      '--accounts <n>',
      'number of accounts; 0 with --token: only create a token for an existing one',
      wholeNumber(0, 10_000_000),
      1000,
    )
    .option('--statuses <n>', 'number of statuses, a sixth of them boosts', wholeNumber(0, 100_000_000), 20_000)
    .option('--follows-per-account <n>', 'average number of follows', wholeNumber(0, 5000), 50)
    .option('--favourites <n>', 'number of favourites; two per status by default', wholeNumber(0, 100_000_000))
    .option('--days <n>', 'number of days that the data spans', wholeNumber(1, 3650), 365)
    .option('--until <time>', 'end of that span; by default the current minute')
    .option('--seed <n>', 'the same number gives the same data', wholeNumber(0), 1)
    .option('--tokens <n>', 'number of bearer tokens of typical accounts to print', wholeNumber(0, 10_000), 0)
    .option(
      '--authors <counts>',
      'also create authors with these numbers of followers, such as 10,1000',
      wholeNumbers(0, 10_000_000),
      [],
    )
    .option('--readers <counts>', 'also create readers with these numbers of follows', wholeNumbers(0, 10_000_000), [])
    .option('--threads <counts>', 'also create threads with these numbers of replies', wholeNumbers(1, 1_000_000), [])
    .option('--password <password>', 'password of all accounts; random by default')
  flag(command, '--token', 'the same as --tokens 1')
  flag(command, '--json', 'print one JSON object')
  flag(command, '--force', 'seed even if there are real users')
  command.action((options: SeedOptions) => seed(context, options))
}
