import type { Command } from 'commander'
import { makeOwnerLink, OWNER_LINK_HOURS } from '../auth/owner_setup/index.ts'
import { CliError } from './cli_error.ts'
import type { CliContext } from './cli_context.ts'

async function printLink(session: CliContext): Promise<void> {
  const { database, config } = await session.services()
  const link = await makeOwnerLink(database, config.publicUrl)
  if (link === undefined)
    throw new CliError('This server has an owner: give others a role with accounts modify NAME --role Owner')
  session.print(link)
  session.warn(`It works once, within ${OWNER_LINK_HOURS} hours, while the server runs.`)
}

/** The first account of a server. */
export function addOwnerLink(program: Command, session: CliContext): void {
  program
    .command('owner-link')
    .description("print a one-time link that makes the owner's account in a browser")
    .action(() => printLink(session))
}
