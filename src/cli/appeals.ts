import { Argument, type Command } from 'commander'
import { ApiError } from '../core/errors.ts'
import { parseId, type Id } from '../core/id.ts'
import { decideAppeal, listAppeals } from '../moderation/index.ts'
import { CliError } from './cli_error.ts'
import type { CliContext } from './cli_context.ts'
import { flag } from './flag.ts'
import { formatTime } from './format_time.ts'

/** The number of rows that one statement reads. */
const PAGE_SIZE = 500

async function list(context: CliContext, withDecided: boolean): Promise<void> {
  const { database } = await context.services()
  const lines: string[][] = []
  for (let last: Id | null = null, more = true; more;) {
    const rows = await listAppeals(database, withDecided ? null : 'pending', { max_id: last, limit: PAGE_SIZE })
    for (const row of rows) {
      const sentAt = formatTime(row.created_at)
      lines.push([row.id, sentAt, row.state, row.handle, row.action, row.text.replace(/\s+/g, ' ')])
    }
    last = rows.at(-1)?.id ?? null
    more = rows.length === PAGE_SIZE
  }
  context.printTable(['ID', 'SENT (UTC)', 'STATE', 'ACCOUNT', 'ACTION', 'APPEAL'], lines)
}

async function decide(context: CliContext, decision: 'approve' | 'reject', text: string): Promise<void> {
  const appeal = parseId(text)
  if (appeal === undefined) throw new CliError('No such appeal')
  try {
    await decideAppeal(await context.services(), null, appeal, decision)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code === 'notFound') throw new CliError('No such appeal', { cause: error })
    if (error.code === 'notAllowed') throw new CliError('The appeal has already been decided', { cause: error })
    throw error
  }
  context.print('OK')
}

/** Appeals against strikes. */
export function addAppeals(program: Command, context: CliContext): void {
  const group = program.command('appeals').description('manage appeals against strikes')
  const listCommand = group.command('list').description('list pending appeals')
  flag(listCommand, '--all', 'include decided appeals')
  listCommand.action(({ all }: { all?: boolean }) => list(context, all === true))
  for (const [decision, description] of [
    ['approve', 'approve an appeal and undo the action'],
    ['reject', 'reject an appeal'],
  ] as const) {
    group
      .command(decision)
      .description(description)
      .addArgument(new Argument('<id>', 'id, as in `appeals list`'))
      .action((id: string) => decide(context, decision, id))
  }
}
