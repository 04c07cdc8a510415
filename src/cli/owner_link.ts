import type { Command } from 'commander'
import { makeOwnerLink, OWNER_LINK_HOURS } from '../auth/owner_setup/index.ts'
import { CliError } from './cli_error.ts'
import type { CliContext } from './cli_context.ts'

async function printLink(context: CliContext): Promise<void> {
  const { database, config } = await context.services()
  const link = await makeOwnerLink(database, config.publicUrl)
  if (link === undefined)
    throw new CliError('This server has an owner: give others a role with accounts modify NAME --role Owner')
  context.print(link)
  context.warn(`It works once, within ${OWNER_LINK_HOURS} hours, while the server runs.`)
}

/** The command that prints a link for the owner's account. */
export function addOwnerLink(program: Command, context: CliContext): void {
  program
    .command('owner-link')
    .description("print a one-time link for creating the owner's account in a browser")
    .action(() => printLink(context))
}
