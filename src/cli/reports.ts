import { Argument, type Command } from 'commander'
import { c, query, type Database, type Row } from '../platform/database/index.ts'
import { parseId, type Id } from '../core/id.ts'
import { resolveReports } from '../moderation/index.ts'
import { assignReport, categorizeReport, reopenReport, REPORT_CATEGORIES } from '../moderation/reports/index.ts'
import { findUser } from './accounts/user.ts'
import { explained } from './explained.ts'
import { flag } from './flag.ts'
import { CliError } from './cli_error.ts'
import type { CliContext } from './cli_context.ts'

const findReports = query(
  'cli/reports',
  { report: c.nullable(c.id), with_resolved: c.boolean },
  {
    id: c.id,
    created_at: c.timestamp,
    category: c.text,
    target: c.nullable(c.text),
    reporter: c.nullable(c.text),
    comment: c.text,
    status_ids: c.ids,
    rule_ids: c.nullable(c.ids),
    resolved: c.boolean,
    assigned: c.nullable(c.text),
  },
)

const findHandler = query('cli/may_manage_reports', { user: c.id }, { may: c.boolean })

/** Whether a user's role manages reports. */
const mayHandle = async (database: Database, user: Id): Promise<boolean> =>
  (await database.one(findHandler, { user }))?.may === true

type ReportRow = Row<typeof findReports.columns>

const shown = (time: Date): string => time.toISOString().slice(0, 16).replace('T', ' ')
const stateOf = ({ resolved, assigned }: ReportRow): string =>
  resolved ? 'resolved' : assigned === null ? 'open' : `open, ${assigned}`

/** The report with the given id. @throws CliError */
export async function findReport(database: Database, text: string): Promise<ReportRow> {
  const report = parseId(text)
  const row = report === undefined ? undefined : await database.one(findReports, { report, with_resolved: true })
  if (!row) throw new CliError('No such report')
  return row
}

async function list(session: CliContext, withResolved: boolean): Promise<void> {
  const { database } = await session.services()
  const rows = await database.run(findReports, { report: null, with_resolved: withResolved })
  const lines = rows.map(row => [
    row.id,
    shown(row.created_at),
    stateOf(row),
    row.category,
    row.target ?? '',
    row.reporter ?? '',
    row.comment.replace(/\s+/g, ' '),
  ])
  session.printTable(['ID', 'SENT (UTC)', 'STATE', 'CATEGORY', 'ACCOUNT', 'REPORTED BY', 'COMMENT'], lines)
}

async function show(session: CliContext, id: string, { json }: { json?: boolean }): Promise<void> {
  const { database } = await session.services()
  const row = await findReport(database, id)
  if (json) return session.print(JSON.stringify(row, null, 2))
  session.print(`Report:      ${row.id}, ${stateOf(row)}, sent ${shown(row.created_at)} UTC`)
  session.print(`Account:     ${row.target ?? ''}`)
  session.print(`Reported by: ${row.reporter ?? ''}`)
  session.print(`Category:    ${row.category}${row.rule_ids ? `, rules ${row.rule_ids.join(', ')}` : ''}`)
  session.print(`Statuses:    ${row.status_ids.join(', ') || '-'}`)
  session.print(`Comment:     ${row.comment || '-'}`)
}

async function settle(session: CliContext, id: string): Promise<void> {
  const { database } = await session.services()
  const report = await findReport(database, id)
  await database.transaction(transaction => resolveReports(transaction, null, { report: report.id }))
  session.print('OK')
}

async function assign(session: CliContext, id: string, username: string | null): Promise<void> {
  const { database } = await session.services()
  const report = await findReport(database, id)
  const user = username === null ? null : await findUser(database, username)
  if (user && !(await mayHandle(database, user.user_id))) throw new CliError('The user may not manage reports')
  await assignReport(database, null, report.id, user && user.id)
  session.print('OK')
}

async function reopen(session: CliContext, id: string): Promise<void> {
  const { database } = await session.services()
  await reopenReport(database, null, (await findReport(database, id)).id)
  session.print('OK')
}

async function categorize(session: CliContext, id: string, category: string, rules: string[] = []): Promise<void> {
  const { database } = await session.services()
  const report = await findReport(database, id)
  await explained(categorizeReport(database, null, report.id, { category, ruleIds: rules }), 'No such report')
  session.print('OK')
}

function addHandling(group: Command, session: CliContext): void {
  group
    .command('assign <id> <username>')
    .description('make a moderator responsible for a report')
    .action((id: string, username: string) => assign(session, id, username))
  group
    .command('unassign <id>')
    .description('make nobody responsible for a report')
    .action((id: string) => assign(session, id, null))
  group
    .command('reopen <id>')
    .description('open a resolved report again')
    .action((id: string) => reopen(session, id))
  group
    .command('categorize <id>')
    .description('change the category of a report')
    .addArgument(new Argument('<category>').choices([...REPORT_CATEGORIES]))
    .option('--rules <ids...>', 'the rules that were broken, for `violation`')
    .action((id: string, category: string, { rules }: { rules?: string[] }) => categorize(session, id, category, rules))
}

/** Reports to the moderators. */
export function addReports(program: Command, session: CliContext): void {
  const group = program.command('reports').description('what people report to the moderators')
  const listing = group.command('list').description('reports that are open')
  flag(listing, '--all', 'also resolved reports')
  listing.action(({ all }: { all?: boolean }) => list(session, all === true))
  flag(group.command('show <id>'), '--json', 'as one JSON object')
    .description('one report')
    .action((id: string, options: { json?: boolean }) => show(session, id, options))
  group
    .command('resolve <id>')
    .description('resolve a report')
    .action((id: string) => settle(session, id))
  addHandling(group, session)
}
