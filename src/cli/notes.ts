import { Argument, type Command } from 'commander'
import { parseId, type Id } from '../core/id.ts'
import { addNote, listNotes, removeNote } from '../moderation/index.ts'
import type { Database } from '../platform/database/index.ts'
import { findTarget } from './accounts/user.ts'
import { CliError } from './cli_error.ts'
import type { CliContext } from './cli_context.ts'
import { withCliError } from './with_cli_error.ts'
import { findReport } from './reports.ts'
import { formatTime } from './format_time.ts'

const SUBJECTS = ['account', 'report'] as const
type Subject = (typeof SUBJECTS)[number]

const findSubject = async (
  database: Database,
  kind: Subject,
  name: string,
): Promise<{ account: Id } | { report: Id }> =>
  kind === 'account' ? { account: await findTarget(database, name) } : { report: (await findReport(database, name)).id }

async function add(context: CliContext, kind: Subject, name: string, text: string): Promise<void> {
  const { database } = await context.services()
  const subject = await findSubject(database, kind, name)
  context.print(`OK, note ${await withCliError(addNote(database, null, subject, text), `No such ${kind}`)}`)
}

async function list(context: CliContext, kind: Subject, name: string): Promise<void> {
  const { database } = await context.services()
  const rows = (await listNotes(database, await findSubject(database, kind, name))).map(note => [
    note.id,
    formatTime(note.created_at),
    note.author ?? '-',
    note.content.replace(/\s+/g, ' '),
  ])
  context.printTable(['ID', 'WRITTEN (UTC)', 'BY', 'NOTE'], rows)
}

async function remove(context: CliContext, text: string): Promise<void> {
  const note = parseId(text)
  if (note === undefined) throw new CliError('No such note')
  const { database } = await context.services()
  await withCliError(removeNote(database, null, note), 'No such note')
  context.print('OK')
}

/** The commands on the moderators' notes. */
export function addNotes(program: Command, context: CliContext): void {
  const group = program.command('notes').description('manage notes of moderators about accounts and reports')
  const kind = () => new Argument('<kind>', 'subject of the note').choices([...SUBJECTS])
  group
    .command('add')
    .description('add a note')
    .addArgument(kind())
    .argument('<subject>', 'user[@domain], or the id of a report')
    .argument('<text>')
    .action((subject: Subject, name: string, text: string) => add(context, subject, name, text))
  group
    .command('list')
    .description('list the notes about an account or a report')
    .addArgument(kind())
    .argument('<subject>', 'user[@domain], or the id of a report')
    .action((subject: Subject, name: string) => list(context, subject, name))
  group
    .command('delete <id>')
    .description('delete a note')
    .action((id: string) => remove(context, id))
}
