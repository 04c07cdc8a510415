import type { Command } from 'commander'
import { c, query, type Database, type Row } from '../platform/database/index.ts'
import { parseId } from '../core/id.ts'
import { resolve } from '../moderation/index.ts'
import { flag } from './flag.ts'
import { CliError } from './cli_error.ts'
import type { CliContext } from './cli_context.ts'
import { table } from './table.ts'

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
  for (const line of table(['ID', 'SENT (UTC)', 'STATE', 'CATEGORY', 'ACCOUNT', 'REPORTED BY', 'COMMENT'], lines))
    session.print(line)
}

async function show(session: CliContext, id: string): Promise<void> {
  const { database } = await session.services()
  const row = await findReport(database, id)
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
  await database.transaction(transaction => resolve(transaction, null, { report: report.id }))
  session.print('OK')
}

/** Reports to the moderators. */
export function addReports(program: Command, session: CliContext): void {
  const group = program.command('reports').description('what people report to the moderators')
  const listing = group.command('list').description('reports that are open')
  flag(listing, '--all', 'also resolved reports')
  listing.action(({ all }: { all?: boolean }) => list(session, all === true))
  group
    .command('show <id>')
    .description('one report')
    .action((id: string) => show(session, id))
  group
    .command('resolve <id>')
    .description('resolve a report')
    .action((id: string) => settle(session, id))
}
