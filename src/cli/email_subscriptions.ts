import type { Command } from 'commander'
import { normaliseEmail } from '../auth/sign_up/index.ts'
import type { Id } from '../core/id.ts'
import { countSubscribers, listSubscribers, removeSubscribers } from '../notifications/email_subscriptions/index.ts'
import { findUser } from './accounts/user.ts'
import { CliError } from './cli_error.ts'
import type { CliContext } from './cli_context.ts'
import { flag } from './flag.ts'

const PAGE_SIZE = 1000

async function list(context: CliContext, username: string): Promise<void> {
  const { database } = await context.services()
  const { id: account } = await findUser(database, username)
  const { confirmed, waiting } = await countSubscribers(database, account)
  const rows: string[][] = []
  for (let before: Id | undefined; ;) {
    const page = await listSubscribers(database, account, { before, limit: PAGE_SIZE })
    rows.push(...page.map(({ email, confirmed_at: since }) => [email, since.toISOString()]))
    if (page.length < PAGE_SIZE) break
    before = page.at(-1)?.id
  }
  context.printTable(['EMAIL', 'SINCE'], rows)
  context.print(`${confirmed} confirmed, ${waiting} not confirmed yet`)
}

async function remove(
  context: CliContext,
  username: string,
  email: string | undefined,
  { all }: { all?: boolean },
): Promise<void> {
  if ((email === undefined) === (all !== true)) throw new CliError('Use either an address or --all')
  const { database } = await context.services()
  const { id: account } = await findUser(database, username)
  const removed = await removeSubscribers(database, null, account, email === undefined ? null : normaliseEmail(email))
  if (removed === 0 && email !== undefined) throw new CliError('No such subscriber')
  context.print(`OK, removed ${removed}`)
}

/** The commands on e-mail subscribers. */
export function addEmailSubscriptions(program: Command, context: CliContext): void {
  const group = program.command('email-subscriptions').description('manage e-mail subscribers of accounts')
  group
    .command('list <username>')
    .description('list the confirmed subscribers of an account, newest first')
    .action((username: string) => list(context, username))
  const removal = group.command('remove <username> [email]').description('remove a subscriber of an account')
  flag(removal, '--all', 'remove all subscribers of the account')
  removal.action((username: string, email: string | undefined, options: { all?: boolean }) =>
    remove(context, username, email, options),
  )
}
