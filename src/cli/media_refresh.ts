import type { Command } from 'commander'
import { parseId } from '../core/id.ts'
import { refreshMedia, type MediaSource } from '../moderation/retention/index.ts'
import { findTarget } from './accounts/user.ts'
import type { CliContext } from './cli_context.ts'
import { domainArgument } from './domain_argument.ts'
import { CliError } from './cli_error.ts'
import { concurrencyUpTo, flag, wholeNumber } from './flag.ts'
import { formatBytes } from './format_bytes.ts'
import { logOperatorAction } from './log_operator_action.ts'
import { openProgress } from './progress.ts'

interface RefreshOptions {
  account?: string
  domain?: string
  status?: string
  days?: number
  force?: boolean
  concurrency: number
  verbose?: boolean
  dryRun?: boolean
}

const DAY_MS = 86_400_000

/** @throws CliError */
async function parseSource(
  context: CliContext,
  { account, domain, status, days, force }: RefreshOptions,
): Promise<MediaSource> {
  if (account === undefined && domain === undefined && status === undefined && days === undefined)
    throw new CliError('Specify the source of media attachments')
  const { database } = await context.services()
  const id = status === undefined ? null : parseId(status)
  if (id === undefined) throw new CliError('The status is named by its id')
  return {
    status: id,
    account: account === undefined ? null : await findTarget(database, account),
    domain: domain === undefined ? null : domainArgument(domain),
    since: days === undefined ? null : new Date(Date.now() - days * DAY_MS),
    forced: force === true,
  }
}

/** `media refresh`: downloads media of other servers again. @throws CliError */
async function refresh(context: CliContext, options: RefreshOptions): Promise<void> {
  const services = await context.services()
  const source = await parseSource(context, options)
  const progress = openProgress(context, 'attachments')
  let copied = 0
  let copiedBytes = 0
  if (!options.dryRun) await logOperatorAction(services.database, 'refresh', { type: 'Media', name: 'media refresh' })
  await refreshMedia(services, {
    source,
    concurrency: options.concurrency,
    dryRun: options.dryRun === true,
    each({ acct, remote_url: url }, bytes) {
      progress.add(1)
      if (bytes === undefined) return
      copied += 1
      copiedBytes += bytes
      if (options.verbose) context.print(`${acct} ${url}`)
    },
  })
  progress.end()
  const dry = options.dryRun ? ' (DRY RUN)' : ''
  context.print(`Downloaded ${copied} media attachments (approx. ${formatBytes(copiedBytes)})${dry}`)
}

export function addRefresh(group: Command, context: CliContext): void {
  const command = group
    .command('refresh')
    .description('download media of other servers again')
    .option('--account <acct>', 'media of an account, user@domain')
    .option('--domain <domain>', 'media of all accounts of a domain')
    .option('--status <id>', 'media of a status')
    .option('--days <n>', 'media of the last days', wholeNumber(1))
    .option('-c, --concurrency <n>', 'maximum concurrency', concurrencyUpTo(16), 5)
  flag(command, '--force', 'also media that has a copy')
  flag(command, '-v, --verbose', 'print each file')
  flag(command, '--dry-run', 'change nothing')
  command.action((options: RefreshOptions) => refresh(context, options))
}
