import { Argument, type Command } from 'commander'
import { ApiError } from '../core/errors.ts'
import { parseId, type Id } from '../core/id.ts'
import { decideAppeal, listAppeals } from '../moderation/index.ts'
import { CliError } from './cli_error.ts'
import type { CliContext } from './cli_context.ts'
import { flag } from './flag.ts'

/** The rows that one statement reads. */
const PORTION = 500

async function list(session: CliContext, withDecided: boolean): Promise<void> {
  const { database } = await session.services()
  const lines: string[][] = []
  for (let last: Id | null = null, more = true; more;) {
    const rows = await listAppeals(database, withDecided ? null : 'pending', { max_id: last, limit: PORTION })
    for (const row of rows) {
      const sent = row.created_at.toISOString().slice(0, 16).replace('T', ' ')
      lines.push([row.id, sent, row.state, row.handle, row.action, row.text.replace(/\s+/g, ' ')])
    }
    last = rows.at(-1)?.id ?? null
    more = rows.length === PORTION
  }
  session.printTable(['ID', 'SENT (UTC)', 'STATE', 'ACCOUNT', 'ACTION', 'APPEAL'], lines)
}

async function decide(session: CliContext, decision: 'approve' | 'reject', text: string): Promise<void> {
  const appeal = parseId(text)
  if (appeal === undefined) throw new CliError('No such appeal')
  try {
    await decideAppeal(await session.services(), null, appeal, decision)
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (error.code === 'notFound') throw new CliError('No such appeal', { cause: error })
    if (error.code === 'notAllowed') throw new CliError('The appeal has already been decided', { cause: error })
    throw error
  }
  session.print('OK')
}

/** Appeals against strikes. */
export function addAppeals(program: Command, session: CliContext): void {
  const group = program.command('appeals').description('appeals against decisions of the moderators')
  const listing = group.command('list').description('appeals that wait for a decision')
  flag(listing, '--all', 'also decided ones')
  listing.action(({ all }: { all?: boolean }) => list(session, all === true))
  for (const [decision, description] of [
    ['approve', 'approve an appeal: the action is undone'],
    ['reject', 'reject an appeal'],
  ] as const) {
    group
      .command(decision)
      .description(description)
      .addArgument(new Argument('<id>', 'as `appeals list` shows it'))
      .action((id: string) => decide(session, decision, id))
  }
}
