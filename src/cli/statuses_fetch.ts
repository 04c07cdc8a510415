import type { Command } from 'commander'
import { openRemoteLookup } from '../federation/index.ts'
import type { CliContext } from './cli_context.ts'
import { CliError } from './cli_error.ts'

/** `statuses fetch`: stores posts of other servers. @throws CliError */
async function fetchStatuses(context: CliContext, urls: readonly string[]): Promise<void> {
  const lookup = openRemoteLookup(await context.services())
  for (const url of urls) {
    const result = URL.canParse(url) ? await lookup.fetchUrl(url) : undefined
    if (result?.kind !== 'status') throw new CliError(`Nothing was found at ${url}`)
    context.print(`OK, ${url} is ${result.id}`)
  }
}

export function addFetch(group: Command, context: CliContext): void {
  group
    .command('fetch <urls...>')
    .description('fetch and store statuses of other servers by their URLs')
    .action((urls: string[]) => fetchStatuses(context, urls))
}
