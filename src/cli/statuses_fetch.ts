import type { Command } from 'commander'
import { openRemoteLookup } from '../federation/index.ts'
import type { CliContext } from './cli_context.ts'
import { CliError } from './cli_error.ts'

/** `statuses fetch`: stores posts of other servers. @throws CliError */
async function fetchStatuses(session: CliContext, urls: readonly string[]): Promise<void> {
  const lookup = openRemoteLookup(await session.services())
  for (const url of urls) {
    const found = URL.canParse(url) ? await lookup.findUrl(url) : undefined
    if (found?.kind !== 'status') throw new CliError(`Nothing was found at ${url}`)
    session.print(`OK, ${url} is ${found.id}`)
  }
}

export function addFetch(group: Command, session: CliContext): void {
  group
    .command('fetch <urls...>')
    .description('store posts of other servers by their addresses')
    .action((urls: string[]) => fetchStatuses(session, urls))
}
