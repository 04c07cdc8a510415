import type { Command } from 'commander'
import { computeConfirmation, readProgress, requireValidConfirmation } from '../federation/index.ts'
import { CliError } from './cli_error.ts'
import type { CliContext } from './cli_context.ts'
import { logOperatorAction } from './log_operator_action.ts'

const WARNING = `This ends the server for good. All known servers are told that the accounts of this one are
deleted; that cannot be undone, and they may refuse accounts of this domain from then on.
Nothing is deleted here. Members can still sign in and download their data.`

/** Asks twice, as for nothing else. @throws CliError */
async function requireConfirmation(context: CliContext, domain: string): Promise<void> {
  context.warn(WARNING)
  const typed = await context.ask(`Type the domain of this server to go on (${domain}): `)
  if (typed?.trim() !== domain) throw new CliError('Not confirmed: that is not the domain of this server')
  const sure = await context.ask('Are you sure? (yes/no): ')
  if (sure?.trim().toLowerCase() !== 'yes') throw new CliError('Not confirmed')
}

async function prepare(context: CliContext): Promise<void> {
  const services = await context.services()
  const { localDomain } = services.config
  await requireConfirmation(context, localDomain)
  await logOperatorAction(services.database, 'self_destruct', { type: 'Domain', name: localDomain })
  context.warn(
    'Set this in the environment of the server and restart it; then run this command again for its progress:',
  )
  context.print(`SELF_DESTRUCT=${computeConfirmation(services)}`)
}

async function showProgress(context: CliContext): Promise<void> {
  const services = await context.services()
  requireValidConfirmation(services)
  const { accounts, sent, waiting } = await readProgress(services.database)
  context.print(`Deletions of accounts sent: ${sent} of ${accounts}`)
  context.print(`Deliveries that wait: ${waiting}`)
  context.print(
    sent === accounts && waiting === 0
      ? 'Done: every server that could be reached knows. This server can be switched off.'
      : 'Not done yet: the server has to run on.',
  )
}

/** The end of the server for good. */
export function addSelfDestruct(program: Command, context: CliContext): void {
  program
    .command('self-destruct')
    .description('end the server for good: tell all others that its accounts are deleted; asks first')
    .action(async () =>
      (await context.config()).selfDestruct === undefined ? prepare(context) : showProgress(context),
    )
}
