import type { Command } from 'commander'
import { SEVERITIES } from '../platform/http/address_policy.ts'
import { addIpBlock, isSeverity, listIpBlocks, parseNetwork, removeIpBlock } from '../moderation/ip_blocks/index.ts'
import { flag, wholeNumber } from './flag.ts'
import { CliError } from './cli_error.ts'
import type { CliContext } from './cli_context.ts'

interface AddOptions {
  severity: string
  comment?: string
  duration?: number
  force?: boolean
}

async function add(session: CliContext, networks: string[], options: AddOptions): Promise<void> {
  if (networks.length === 0) throw new CliError('No IP(s) given')
  const { severity, comment = '', duration, force: replaces = false } = options
  if (!isSeverity(severity)) throw new CliError(`Severity must be one of ${SEVERITIES.join(', ')}`)
  const services = await session.services()
  const expiresAt = duration === undefined ? null : new Date(Date.now() + duration * 1000)
  const counts = { added: 0, skipped: 0, failed: 0 }
  for (const ip of networks) {
    if (parseNetwork(ip) === undefined) {
      session.print(`${ip} is invalid`)
      counts.failed += 1
    } else if (await addIpBlock(services, null, { ip, severity, comment, expiresAt }, replaces)) {
      counts.added += 1
    } else {
      session.print(`${ip} is already blocked`)
      counts.skipped += 1
    }
  }
  session.print(`Added ${counts.added}, skipped ${counts.skipped}, failed ${counts.failed}`)
}

async function remove(session: CliContext, networks: string[], { force }: { force?: boolean }): Promise<void> {
  if (networks.length === 0) throw new CliError('No IP(s) given')
  const services = await session.services()
  const counts = { removed: 0, skipped: 0 }
  for (const ip of networks) {
    const removed = await removeIpBlock(services, null, ip, force === true)
    if (removed === 0) {
      session.print(parseNetwork(ip) !== undefined ? `${ip} is not yet blocked` : `${ip} is invalid`)
      counts.skipped += 1
    }
    counts.removed += removed
  }
  session.print(`Removed ${counts.removed}, skipped ${counts.skipped}`)
}

async function exportAll(session: CliContext, { format }: { format: string }): Promise<void> {
  if (format !== 'plain' && format !== 'nginx') throw new CliError('Format must be plain or nginx')
  const { database } = await session.services()
  for (const { ip, severity } of await listIpBlocks(database)) {
    if (severity === 'no_access') session.print(format === 'nginx' ? `deny ${ip};` : ip)
  }
}

async function list(session: CliContext): Promise<void> {
  const { database } = await session.services()
  const rows = (await listIpBlocks(database)).map(({ ip, severity, expires_at: expires }) => [
    ip,
    severity,
    expires?.toISOString().slice(0, 16).replace('T', ' ') ?? '',
  ])
  session.printTable(['NETWORK', 'SEVERITY', 'EXPIRES (UTC)'], rows)
}

/** Networks that are blocked entirely, or from signing up. */
export function addIpBlocks(program: Command, session: CliContext): void {
  const group = program.command('ip_blocks').alias('ip-blocks').description('blocked networks')
  const addition = group
    .command('add [networks...]')
    .description('make rules about addresses or networks')
    .requiredOption('--severity <severity>', SEVERITIES.join(', '))
    .option('-c, --comment <text>', 'a note for administrators')
    .option('-d, --duration <seconds>', 'how long they count; without it until removed', wholeNumber(1))
  flag(addition, '-f, --force', 'replace existing rules')
  addition.action((networks: string[], options: AddOptions) => add(session, networks, options))
  group
    .command('list')
    .description('every rule')
    .action(() => list(session))
  const removal = group.command('remove [networks...]').description('remove rules')
  flag(removal, '-f, --force', 'also rules about networks that contain the given ones')
  removal.action((networks: string[], options: { force?: boolean }) => remove(session, networks, options))
  group
    .command('export')
    .description('the networks without access, one a line')
    .option('-f, --format <format>', 'plain or nginx', 'plain')
    .action((options: { format: string }) => exportAll(session, options))
}
