import { Argument, type Command } from 'commander'
import { c, query, type Database } from '../platform/database/index.ts'
import { parseId, type Id } from '../core/id.ts'
import { normaliseTag } from '../core/text/index.ts'
import { decide, refreshTrends, type ReviewedKind } from '../timelines/trends/index.ts'
import { findTarget } from './accounts/user.ts'
import { flag } from './flag.ts'
import { CliError } from './cli_error.ts'
import type { CliContext } from './cli_context.ts'

const findTrends = query(
  'cli/trends',
  { undecided: c.boolean },
  { kind: c.text, name: c.text, score: c.float, trendable: c.nullable(c.boolean) },
)
const findTrend = query('cli/find_trend', { kind: c.text, name: c.text }, { id: c.id })

const KINDS: readonly ReviewedKind[] = ['tag', 'link', 'publisher', 'status', 'account']

const isReviewed = (kind: string): kind is ReviewedKind => KINDS.some(candidate => candidate === kind)

async function findByName(database: Database, kind: ReviewedKind, name: string): Promise<Id | undefined> {
  if (kind === 'account') return findTarget(database, name)
  if (kind === 'status') return parseId(name)
  return (await database.one(findTrend, { kind, name: kind === 'tag' ? normaliseTag(name) : name }))?.id
}

/** @throws CliError */
async function review(context: CliContext, kind: string, name: string, trendable: boolean): Promise<void> {
  if (!isReviewed(kind)) throw new CliError(`Unknown kind: ${kind}`)
  const services = await context.services()
  const id = await findByName(services.database, kind, name)
  const operator = { moderator: null, isLogged: true }
  if (id === undefined || !(await decide(services, operator, kind, id, trendable)))
    throw new CliError(`No such ${kind}`)
  context.print('OK')
}

const describeState = (trendable: boolean | null): string =>
  trendable === null ? 'undecided' : trendable ? 'approved' : 'rejected'

async function list(context: CliContext, { undecided = false }: { undecided?: boolean }): Promise<void> {
  const { database } = await context.services()
  const rows = (await database.run(findTrends, { undecided })).map(row => [
    row.kind,
    row.score.toFixed(2),
    describeState(row.trendable),
    row.name,
  ])
  context.printTable(['KIND', 'SCORE', 'STATE', 'NAME'], rows)
}

async function refresh(context: CliContext, { all = false }: { all?: boolean }): Promise<void> {
  await refreshTrends(await context.services(), all)
  context.print('OK')
}

/** The commands on trends. */
export function addTrends(program: Command, context: CliContext): void {
  const group = program.command('trends').description('review trends')
  flag(group.command('list'), '--undecided', 'only candidates without a decision')
    .description('list trends with their scores and decisions')
    .action((options: { undecided?: boolean }) => list(context, options))
  for (const [name, description, trendable] of [
    ['approve', 'allow a candidate to trend', true],
    ['reject', 'forbid a candidate to trend', false],
  ] as const) {
    group
      .command(name)
      .description(description)
      .addArgument(new Argument('<kind>', 'kind of trend').choices([...KINDS]))
      .argument('<name>', 'hashtag, URL, host, id of a status, or user[@domain]')
      .action((kind: string, key: string) => review(context, kind, key, trendable))
  }
  flag(group.command('refresh'), '--all', 'recount all seven days')
    .description('recount and rescore now; servers do so every five minutes')
    .action((options: { all?: boolean }) => refresh(context, options))
}
