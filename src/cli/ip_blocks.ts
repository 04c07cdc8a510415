import type { Command } from 'commander'
import { SEVERITIES } from '../platform/http/address_policy.ts'
import { addIpBlock, isSeverity, listIpBlocks, parseNetwork, removeIpBlocksOf } from '../moderation/ip_blocks/index.ts'
import { flag, wholeNumber } from './flag.ts'
import { CliError } from './cli_error.ts'
import type { CliContext } from './cli_context.ts'
import { formatTime } from './format_time.ts'

interface AddOptions {
  severity: string
  comment?: string
  duration?: number
  force?: boolean
}

async function add(context: CliContext, networks: string[], options: AddOptions): Promise<void> {
  if (networks.length === 0) throw new CliError('No IP(s) given')
  const { severity, comment = '', duration, force: replaces = false } = options
  if (!isSeverity(severity)) throw new CliError(`Severity must be one of ${SEVERITIES.join(', ')}`)
  const services = await context.services()
  const expiresAt = duration === undefined ? null : new Date(Date.now() + duration * 1000)
  const counts = { added: 0, skipped: 0, failed: 0 }
  for (const ip of networks) {
    if (parseNetwork(ip) === undefined) {
      context.print(`${ip} is invalid`)
      counts.failed += 1
    } else if (await addIpBlock(services, null, { ip, severity, comment, expiresAt }, replaces)) {
      counts.added += 1
    } else {
      context.print(`${ip} is already blocked`)
      counts.skipped += 1
    }
  }
  context.print(`Added ${counts.added}, skipped ${counts.skipped}, failed ${counts.failed}`)
}

async function remove(context: CliContext, networks: string[], { force }: { force?: boolean }): Promise<void> {
  if (networks.length === 0) throw new CliError('No IP(s) given')
  const services = await context.services()
  const counts = { removed: 0, skipped: 0 }
  for (const ip of networks) {
    const removed = await removeIpBlocksOf(services, null, ip, force === true)
    if (removed === 0) {
      context.print(parseNetwork(ip) !== undefined ? `${ip} is not yet blocked` : `${ip} is invalid`)
      counts.skipped += 1
    }
    counts.removed += removed
  }
  context.print(`Removed ${counts.removed}, skipped ${counts.skipped}`)
}

async function exportAll(context: CliContext, { format }: { format: string }): Promise<void> {
  if (format !== 'plain' && format !== 'nginx') throw new CliError('Format must be plain or nginx')
  const { database } = await context.services()
  for (const { ip, severity } of await listIpBlocks(database)) {
    if (severity === 'no_access') context.print(format === 'nginx' ? `deny ${ip};` : ip)
  }
}

async function list(context: CliContext): Promise<void> {
  const { database } = await context.services()
  const rows = (await listIpBlocks(database)).map(({ ip, severity, expires_at: expires }) => [
    ip,
    severity,
    formatTime(expires),
  ])
  context.printTable(['NETWORK', 'SEVERITY', 'EXPIRES (UTC)'], rows)
}

/** The commands on blocked networks. */
export function addIpBlocks(program: Command, context: CliContext): void {
  const group = program.command('ip_blocks').alias('ip-blocks').description('manage blocked networks')
  const addCommand = group
    .command('add [networks...]')
    .description('add rules about addresses or networks')
    .requiredOption('--severity <severity>', SEVERITIES.join(', '))
    .option('-c, --comment <text>', 'a note for administrators')
    .option('-d, --duration <seconds>', 'how long the rules apply; by default until removed', wholeNumber(1))
  flag(addCommand, '-f, --force', 'replace existing rules')
  addCommand.action((networks: string[], options: AddOptions) => add(context, networks, options))
  group
    .command('list')
    .description('list the rules')
    .action(() => list(context))
  const removeCommand = group.command('remove [networks...]').description('remove rules')
  flag(removeCommand, '-f, --force', 'also remove rules about networks that contain the given ones')
  removeCommand.action((networks: string[], options: { force?: boolean }) => remove(context, networks, options))
  group
    .command('export')
    .description('export the networks without access, one per line')
    .option('-f, --format <format>', 'plain or nginx', 'plain')
    .action((options: { format: string }) => exportAll(context, options))
}
