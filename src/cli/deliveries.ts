import type { Command } from 'commander'
import { listHostStates, purgeHost, retryHost, type HostState } from '../federation/index.ts'
import { CliError } from './cli_error.ts'
import type { CliContext } from './cli_context.ts'

const PORTION = 500

const minute = (time: Date | null): string => (time ? time.toISOString().slice(0, 16).replace('T', ' ') : '')

const stateOf = ({ unavailable_since, paused_until }: HostState): string =>
  unavailable_since ? 'unavailable' : paused_until && paused_until.getTime() > Date.now() ? 'paused' : 'failing'

async function list(session: CliContext): Promise<void> {
  const { database } = await session.services()
  const rows: HostState[] = []
  for (let after: string | undefined = '', more = true; more && after !== undefined;) {
    const part: HostState[] = await listHostStates(database, { after, limit: PORTION })
    rows.push(...part)
    after = part.at(-1)?.host
    more = part.length === PORTION
  }
  session.printTable(
    ['HOST', 'STATE', 'FAILURES', 'DAYS', 'LAST FAILURE (UTC)', 'LAST SUCCESS (UTC)', 'WAITING', 'NEXT (UTC)', 'ERROR'],
    rows.map(row => [
      row.host,
      stateOf(row),
      String(row.failures),
      String(row.days),
      minute(row.last_failed_at),
      minute(row.last_success_at),
      String(row.waiting),
      minute(row.next_at),
      row.last_error ?? '',
    ]),
  )
}

async function retry(session: CliContext, hosts: readonly string[]): Promise<void> {
  const { database } = await session.services()
  for (const host of hosts) {
    const amount = await retryHost(database, null, host.toLowerCase())
    if (amount === undefined) throw new CliError(`Nothing has failed at ${host}`)
    session.print(`OK, ${amount} deliveries to ${host}`)
  }
}

async function purge(session: CliContext, hosts: readonly string[]): Promise<void> {
  const { database } = await session.services()
  for (const host of hosts)
    session.print(`Removed ${await purgeHost(database, null, host.toLowerCase())} deliveries to ${host}`)
}

/** Deliveries to other servers. */
export function addDeliveries(program: Command, session: CliContext): void {
  const group = program.command('deliveries').description('deliveries to other servers')
  group
    .command('hosts')
    .description('servers to which deliveries fail')
    .action(() => list(session))
  group
    .command('retry <hosts...>')
    .description('deliver to these servers at once, also to those that were given up')
    .action((hosts: string[]) => retry(session, hosts))
  group
    .command('purge <hosts...>')
    .description('delete what waits for these servers')
    .action((hosts: string[]) => purge(session, hosts))
}
