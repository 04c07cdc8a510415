import { parseId, type Id } from '../core/id.ts'
import { copyRemote } from '../media/attachments/index.ts'
import { forgetCopies } from '../moderation/retention/index.ts'
import { ApiError } from '../core/errors.ts'
import { c, query, type Database, type Row } from '../platform/database/index.ts'
import type { Command } from 'commander'
import { findTarget } from './accounts/user.ts'
import type { CliContext } from './cli_context.ts'
import { CliError } from './cli_error.ts'
import { forEachConcurrently } from '../core/for_each_concurrently.ts'
import { concurrencyUpTo, flag, wholeNumber } from './flag.ts'
import { formatBytes } from './format_bytes.ts'
import { openProgress } from './progress.ts'

const findMedia = query(
  'cli/refreshable_media',
  {
    status: c.nullable(c.id),
    account: c.nullable(c.id),
    domain: c.nullable(c.text),
    since: c.nullable(c.timestamp),
    forced: c.boolean,
    after: c.id,
  },
  { id: c.id, type: c.text, remote_url: c.nullable(c.text), acct: c.nullable(c.text), files: c.texts },
)
const findCopy = query('cli/copied_bytes', { id: c.id }, { bytes: c.bigint })

type Media = Row<typeof findMedia.columns>

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
async function parseSource(context: CliContext, { account, domain, status, days, force }: RefreshOptions) {
  if (account === undefined && domain === undefined && status === undefined && days === undefined)
    throw new CliError('Specify the source of media attachments')
  const { database } = await context.services()
  const id = status === undefined ? null : parseId(status)
  if (id === undefined) throw new CliError('The status is named by its id')
  return {
    status: id,
    account: account === undefined ? null : await findTarget(database, account),
    domain: domain?.toLowerCase() ?? null,
    since: days === undefined ? null : new Date(Date.now() - days * DAY_MS),
    forced: force === true,
  }
}

/** Reads the attachments of a source, in the order of their ids. */
async function* readMedia(database: Database, source: Awaited<ReturnType<typeof parseSource>>): AsyncGenerator<Media> {
  for (let after: Id = '0'; ;) {
    const rows = await database.run(findMedia, { ...source, after })
    yield* rows
    const last = rows.at(-1)
    if (!last) return
    after = last.id
  }
}

/** `media refresh`: downloads media of other servers again. @throws CliError */
async function refresh(context: CliContext, options: RefreshOptions): Promise<void> {
  const services = await context.services()
  const source = await parseSource(context, options)
  const progress = openProgress(context, 'attachments')
  let copied = 0
  let bytes = 0
  await forEachConcurrently(
    readMedia(services.database, source),
    options.concurrency,
    async ({ id, type, remote_url: url, acct, files }) => {
      progress.add(1)
      if (!options.dryRun) {
        if (files.length > 0) await forgetCopies(services, [{ id, files }])
        const isCopied = await copyRemote(services, { id, type, remote_url: url ?? '' }).catch((error: unknown) => {
          if (error instanceof ApiError) return false
          throw error
        })
        if (!isCopied) return
        bytes += Number((await services.database.one(findCopy, { id }))?.bytes ?? 0)
      }
      copied += 1
      if (options.verbose) context.print(`${acct} ${url}`)
    },
  )
  progress.end()
  const dry = options.dryRun ? ' (DRY RUN)' : ''
  context.print(`Downloaded ${copied} media attachments (approx. ${formatBytes(bytes)})${dry}`)
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
