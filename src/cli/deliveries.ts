import type { Command } from 'commander'
import { listHostStates, purgeHost, retryHost, type HostState } from '../federation/index.ts'
import { CliError } from './cli_error.ts'
import type { CliContext } from './cli_context.ts'
import { domainArgument } from './domain_argument.ts'
import { formatTime } from './format_time.ts'

const PAGE_SIZE = 500

const describeState = ({ unavailable_since, paused_until }: HostState): string =>
  unavailable_since ? 'unavailable' : paused_until && paused_until.getTime() > Date.now() ? 'paused' : 'failing'

async function list(context: CliContext): Promise<void> {
  const { database } = await context.services()
  const rows: HostState[] = []
  for (let after: string | undefined = '', more = true; more && after !== undefined;) {
    const page: HostState[] = await listHostStates(database, { after, limit: PAGE_SIZE })
    rows.push(...page)
    after = page.at(-1)?.host
    more = page.length === PAGE_SIZE
  }
  context.printTable(
    ['HOST', 'STATE', 'FAILURES', 'DAYS', 'LAST FAILURE (UTC)', 'LAST SUCCESS (UTC)', 'WAITING', 'NEXT (UTC)', 'ERROR'],
    rows.map(row => [
      row.host,
      describeState(row),
      String(row.failures),
      String(row.days),
      formatTime(row.last_failed_at),
      formatTime(row.last_success_at),
      String(row.waiting),
      formatTime(row.next_at),
      row.last_error ?? '',
    ]),
  )
}

async function retry(context: CliContext, hosts: readonly string[]): Promise<void> {
  const { database } = await context.services()
  for (const host of hosts) {
    const amount = await retryHost(database, null, domainArgument(host))
    if (amount === undefined) throw new CliError(`Nothing has failed at ${host}`)
    context.print(`OK, ${amount} deliveries to ${host}`)
  }
}

async function purge(context: CliContext, hosts: readonly string[]): Promise<void> {
  const { database } = await context.services()
  for (const host of hosts)
    context.print(`Removed ${await purgeHost(database, null, domainArgument(host))} deliveries to ${host}`)
}

/** Deliveries to other servers. */
export function addDeliveries(program: Command, context: CliContext): void {
  const group = program.command('deliveries').description('manage deliveries to other servers')
  group
    .command('hosts')
    .description('list the servers to which deliveries fail')
    .action(() => list(context))
  group
    .command('retry <hosts...>')
    .description('retry deliveries to these servers at once, even if they are marked unavailable')
    .action((hosts: string[]) => retry(context, hosts))
  group
    .command('purge <hosts...>')
    .description('delete the pending deliveries to these servers')
    .action((hosts: string[]) => purge(context, hosts))
}
