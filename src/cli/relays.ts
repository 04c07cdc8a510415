import type { Command } from 'commander'
import type { Id } from '../core/id.ts'
import {
  addRelay,
  listAllRelays,
  disableRelay,
  enableRelay,
  removeRelay,
  type RelayError,
} from '../federation/index.ts'
import type { Services } from '../platform/services.ts'
import { CliError } from './cli_error.ts'
import type { CliContext } from './cli_context.ts'
import { formatTime } from './format_time.ts'

const ERRORS: Readonly<Record<RelayError, string>> = {
  invalid: 'is not a valid address',
  unreachable: 'is an address with which this server exchanges nothing',
  taken: 'is already a relay',
}

async function list(context: CliContext): Promise<void> {
  const { database } = await context.services()
  context.printTable(
    ['INBOX', 'STATE', 'SINCE (UTC)'],
    (await listAllRelays(database)).map(({ inbox_url: inbox, state, changed_at: changedAt }) => [
      inbox,
      state,
      formatTime(changedAt),
    ]),
  )
}

async function add(context: CliContext, inboxes: readonly string[]): Promise<void> {
  const services = await context.services()
  for (const inbox of inboxes) {
    const error = await addRelay(services, null, inbox)
    if (error) throw new CliError(`${inbox} ${ERRORS[error]}`)
    context.print(`OK, ${inbox} is asked`)
  }
}

/** Applies a change to relays, which are named by their inbox URLs. */
async function change(
  context: CliContext,
  inboxes: readonly string[],
  apply: (services: Services, moderator: Id | null, id: Id) => Promise<boolean>,
): Promise<void> {
  const services = await context.services()
  for (const inbox of inboxes) {
    const relay = (await listAllRelays(services.database)).find(({ inbox_url: url }) => url === inbox)
    if (!relay) throw new CliError(`No such relay: ${inbox}`)
    context.print((await apply(services, null, relay.id)) ? `OK, ${inbox}` : `${inbox} is already ${relay.state}`)
  }
}

/** The commands on relays. */
export function addRelays(program: Command, context: CliContext): void {
  const group = program.command('relays').description('manage relays, servers that forward public posts')
  group
    .command('list')
    .description('list the relays with their states')
    .action(() => list(context))
  group
    .command('add <inboxes...>')
    .description('add relays by their inbox URLs, and subscribe to them')
    .action((inboxes: string[]) => add(context, inboxes))
  group
    .command('enable <inboxes...>')
    .description('subscribe again to relays that are disabled or have refused')
    .action((inboxes: string[]) => change(context, inboxes, enableRelay))
  group
    .command('disable <inboxes...>')
    .description('disable relays: nothing is sent to them or accepted from them')
    .action((inboxes: string[]) => change(context, inboxes, disableRelay))
  group
    .command('remove <inboxes...>')
    .description('delete relays')
    .action((inboxes: string[]) => change(context, inboxes, removeRelay))
}
