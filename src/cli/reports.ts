import { Argument, type Command } from 'commander'
import { c, query, type Database, type Row } from '../platform/database/index.ts'
import { parseId, type Id } from '../core/id.ts'
import { resolveReports } from '../moderation/index.ts'
import { assignReport, categorizeReport, reopenReport, REPORT_CATEGORIES } from '../moderation/reports/index.ts'
import { findUser } from './accounts/user.ts'
import { withCliError } from './with_cli_error.ts'
import { flag } from './flag.ts'
import { CliError } from './cli_error.ts'
import type { CliContext } from './cli_context.ts'
import { formatTime } from './format_time.ts'

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

const mayManageReportsQuery = query('cli/manages_reports', { user: c.id }, { may: c.boolean })

/** Whether a user's role manages reports. */
const mayManageReports = async (database: Database, user: Id): Promise<boolean> =>
  (await database.one(mayManageReportsQuery, { user }))?.may === true

type ReportRow = Row<typeof findReports.columns>

const describeState = ({ resolved, assigned }: ReportRow): string =>
  resolved ? 'resolved' : assigned === null ? 'open' : `open, ${assigned}`

/** The report with the given id. @throws CliError */
export async function findReport(database: Database, text: string): Promise<ReportRow> {
  const report = parseId(text)
  const row = report === undefined ? undefined : await database.one(findReports, { report, with_resolved: true })
  if (!row) throw new CliError('No such report')
  return row
}

async function list(context: CliContext, withResolved: boolean): Promise<void> {
  const { database } = await context.services()
  const rows = await database.run(findReports, { report: null, with_resolved: withResolved })
  const lines = rows.map(row => [
    row.id,
    formatTime(row.created_at),
    describeState(row),
    row.category,
    row.target ?? '',
    row.reporter ?? '',
    row.comment.replace(/\s+/g, ' '),
  ])
  context.printTable(['ID', 'SENT (UTC)', 'STATE', 'CATEGORY', 'ACCOUNT', 'REPORTED BY', 'COMMENT'], lines)
}

async function show(context: CliContext, id: string, { json }: { json?: boolean }): Promise<void> {
  const { database } = await context.services()
  const row = await findReport(database, id)
  if (json) return context.print(JSON.stringify(row, null, 2))
  context.print(`Report:      ${row.id}, ${describeState(row)}, sent ${formatTime(row.created_at)} UTC`)
  context.print(`Account:     ${row.target ?? ''}`)
  context.print(`Reported by: ${row.reporter ?? ''}`)
  context.print(`Category:    ${row.category}${row.rule_ids ? `, rules ${row.rule_ids.join(', ')}` : ''}`)
  context.print(`Statuses:    ${row.status_ids.join(', ') || '-'}`)
  context.print(`Comment:     ${row.comment || '-'}`)
}

async function resolve(context: CliContext, id: string): Promise<void> {
  const { database } = await context.services()
  const report = await findReport(database, id)
  await database.transaction(transaction => resolveReports(transaction, null, { report: report.id }))
  context.print('OK')
}

async function assign(context: CliContext, id: string, username: string | null): Promise<void> {
  const { database } = await context.services()
  const report = await findReport(database, id)
  const user = username === null ? null : await findUser(database, username)
  if (user && !(await mayManageReports(database, user.user_id))) throw new CliError('The user may not manage reports')
  await assignReport(database, null, report.id, user && user.id)
  context.print('OK')
}

async function reopen(context: CliContext, id: string): Promise<void> {
  const { database } = await context.services()
  await reopenReport(database, null, (await findReport(database, id)).id)
  context.print('OK')
}

async function categorize(context: CliContext, id: string, category: string, rules: string[] = []): Promise<void> {
  const { database } = await context.services()
  const report = await findReport(database, id)
  await withCliError(categorizeReport(database, null, report.id, { category, ruleIds: rules }), 'No such report')
  context.print('OK')
}

function addChanges(group: Command, context: CliContext): void {
  group
    .command('assign <id> <username>')
    .description('assign a report to a moderator')
    .action((id: string, username: string) => assign(context, id, username))
  group
    .command('unassign <id>')
    .description('unassign a report')
    .action((id: string) => assign(context, id, null))
  group
    .command('reopen <id>')
    .description('reopen a resolved report')
    .action((id: string) => reopen(context, id))
  group
    .command('categorize <id>')
    .description('change the category of a report')
    .addArgument(new Argument('<category>').choices([...REPORT_CATEGORIES]))
    .option('--rules <ids...>', 'violated rules, for `violation`')
    .action((id: string, category: string, { rules }: { rules?: string[] }) => categorize(context, id, category, rules))
}

/** The commands on reports. */
export function addReports(program: Command, context: CliContext): void {
  const group = program.command('reports').description('manage reports')
  const listCommand = group.command('list').description('list open reports')
  flag(listCommand, '--all', 'include resolved reports')
  listCommand.action(({ all }: { all?: boolean }) => list(context, all === true))
  flag(group.command('show <id>'), '--json', 'print one JSON object')
    .description('show a report')
    .action((id: string, options: { json?: boolean }) => show(context, id, options))
  group
    .command('resolve <id>')
    .description('resolve a report')
    .action((id: string) => resolve(context, id))
  addChanges(group, context)
}
