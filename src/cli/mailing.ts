import type { Command } from 'commander'
import { parseId } from '../core/id.ts'
import {
  countMailingRecipients,
  findMailingProgress,
  readContent,
  startMailing,
  testMailing,
  type MailingSubject,
} from '../instance/mailings/index.ts'
import { findUser } from './accounts/user.ts'
import { CliError } from './cli_error.ts'
import type { CliContext } from './cli_context.ts'
import { flag } from './flag.ts'

interface NotifyOptions {
  test?: string
  dryRun?: boolean
}

async function notify(
  context: CliContext,
  kind: MailingSubject['kind'],
  text: string,
  { test, dryRun }: NotifyOptions,
): Promise<void> {
  if (test !== undefined && dryRun) throw new CliError('Use either --test or --dry-run')
  const services = await context.services()
  const { database } = services
  const id = parseId(text)
  const subject = id === undefined ? undefined : { kind, id }
  if (!subject || !(await readContent(database, subject)))
    throw new CliError(kind === 'terms' ? 'No such published terms' : 'No such published announcement')
  if (test !== undefined) {
    const { user_id: user, email } = await findUser(database, test)
    await testMailing(services, { subject, user })
    return context.print(`OK, the server will send a test to ${email ?? ''}`)
  }
  const progress = await findMailingProgress(database, subject)
  if (progress) throw new CliError(`E-mails were sent on ${progress.created_at.toISOString()} (${progress.sent_count})`)
  const count = await countMailingRecipients(database)
  if (dryRun) return context.print(`Would send ${count} e-mails (DRY RUN)`)
  if (!(await startMailing(services, null, subject))) throw new CliError('E-mails are being sent already')
  context.print(`OK, the server will send ${count} e-mails`)
}

/** The command that sends published terms or an announcement to all users by e-mail. */
export function addNotify(group: Command, context: CliContext, kind: MailingSubject['kind']): void {
  const command = group
    .command('notify <id>')
    .description('send it once to all users with a confirmed address by e-mail')
    .option('--test <username>', 'send it to this user only')
  flag(command, '--dry-run', 'only print how many e-mails would be sent')
  command.action((id: string, options: NotifyOptions) => notify(context, kind, id, options))
}
