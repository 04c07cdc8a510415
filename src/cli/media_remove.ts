import type { Command } from 'commander'
import {
  removeCachedMedia,
  removeCardImages,
  removeCopiedPictures,
  type MediaRemoval,
} from '../moderation/retention/index.ts'
import type { Services } from '../platform/services.ts'
import { CliError } from './cli_error.ts'
import type { CliContext } from './cli_context.ts'
import { concurrency, flag, wholeNumber } from './flag.ts'
import { formatBytes } from './format_bytes.ts'
import { logOperatorAction } from './log_operator_action.ts'
import { measureFiles } from './measure_files.ts'
import { openProgress } from './progress.ts'

const DAY_MS = 86_400_000

interface RemoveOptions {
  days: number
  verbose?: boolean
  dryRun?: boolean
}

interface MediaOptions extends RemoveOptions {
  pruneProfiles?: boolean
  removeHeaders?: boolean
  includeFollows?: boolean
  keepInteracted?: boolean
}

const cutoff = ({ days }: RemoveOptions): Date => new Date(Date.now() - days * DAY_MS)
const dryRunSuffix = ({ dryRun }: RemoveOptions): string => (dryRun ? ' (DRY RUN)' : '')

/** Removes files with a progress bar; returns the number of records and the freed space. */
async function removeFiles(
  context: CliContext,
  options: RemoveOptions,
  unit: string,
  work: (services: Services, removal: MediaRemoval) => Promise<void>,
): Promise<{ removed: number; freed: string }> {
  const services = await context.services()
  const progress = openProgress(context, unit)
  let removed = 0
  let freedBytes = 0
  await work(services, {
    before: cutoff(options),
    dryRun: options.dryRun === true,
    async each(records) {
      for (const { files } of records) freedBytes += await measureFiles(services.storage, files)
      if (options.verbose) for (const { id } of records) context.print(id)
      removed += records.length
      progress.add(records.length)
    },
  })
  progress.end()
  return { removed, freed: formatBytes(freedBytes) }
}

async function logPurge(context: CliContext, type: string, { days, dryRun }: RemoveOptions): Promise<void> {
  if (!dryRun) await logOperatorAction((await context.services()).database, 'purge', { type, name: `${days} d` })
}

async function removeCached(context: CliContext, options: MediaOptions): Promise<void> {
  await logPurge(context, 'Media', options)
  const { removed, freed } = await removeFiles(context, options, 'attachments', (services, removal) =>
    removeCachedMedia(services, { ...removal, keepInteracted: options.keepInteracted === true }),
  )
  context.print(`Removed ${removed} media attachments (approx. ${freed})${dryRunSuffix(options)}`)
}

async function removePictures(context: CliContext, options: MediaOptions): Promise<void> {
  const services = await context.services()
  await logPurge(context, 'Media', options)
  const progress = openProgress(context, 'accounts')
  let visited = 0
  let freedBytes = 0
  await removeCopiedPictures(services, {
    before: cutoff(options),
    headersOnly: options.removeHeaders === true,
    includeFollows: options.includeFollows === true,
    dryRun: options.dryRun === true,
    async each(accounts, files) {
      freedBytes += await measureFiles(services.storage, files)
      if (options.verbose) for (const acct of accounts) context.print(acct)
      visited += accounts.length
      progress.add(accounts.length)
    },
  })
  progress.end()
  const freed = formatBytes(freedBytes)
  context.print(`Visited ${visited} accounts and removed profile media totaling ${freed}${dryRunSuffix(options)}`)
}

/** `media remove`. @throws CliError */
async function remove(context: CliContext, options: MediaOptions): Promise<void> {
  const removesPictures = options.pruneProfiles === true || options.removeHeaders === true
  if (options.pruneProfiles && options.removeHeaders)
    throw new CliError('--prune-profiles and --remove-headers should not be specified simultaneously')
  if (options.includeFollows && !removesPictures)
    throw new CliError('--include-follows can only be used with --prune-profiles or --remove-headers')
  await (removesPictures ? removePictures(context, options) : removeCached(context, options))
}

async function removeCards(context: CliContext, options: RemoveOptions & { link?: boolean }): Promise<void> {
  await logPurge(context, 'PreviewCard', options)
  const { removed, freed } = await removeFiles(context, options, 'preview cards', (services, removal) =>
    removeCardImages(services, { ...removal, linksOnly: options.link === true }),
  )
  context.print(`Removed media from ${removed} preview cards (approx. ${freed})${dryRunSuffix(options)}`)
}

/** The command `media remove`: removes copies of remote files. */
export function addRemoval(group: Command, context: CliContext): void {
  const removeCommand = group
    .command('remove')
    .description('remove copies of remote attachments, which are fetched again on demand, or of profile pictures')
    .option('-d, --days <n>', 'minimum age in days', wholeNumber(0), 7)
    .option('-c, --concurrency <n>', 'accepted for compatibility', concurrency, 5)
  flag(
    removeCommand,
    '--prune-profiles',
    'instead remove avatars and headers of accounts without follows from or to local accounts',
  )
  flag(removeCommand, '--remove-headers', 'instead remove their headers only')
  flag(removeCommand, '--include-follows', 'with either: include accounts with such follows')
  flag(removeCommand, '--keep-interacted', 'keep attachments of posts with local interactions')
  flag(removeCommand, '-v, --verbose', 'print each attachment or account')
  flag(removeCommand, '--dry-run', 'change nothing')
  removeCommand.action((options: MediaOptions) => remove(context, options))
}

/** The command `preview_cards remove`. */
export function addCardRemoval(program: Command, context: CliContext): void {
  const removeCommand = program
    .command('preview_cards')
    .alias('preview-cards')
    .description('manage link previews')
    .command('remove')
    .description('remove the images of old link previews')
    .option('--days <n>', 'minimum age in days', wholeNumber(0), 180)
    .option('-c, --concurrency <n>', 'accepted for compatibility', concurrency, 5)
  flag(removeCommand, '--link', 'only previews of links, not of videos and photos')
  flag(removeCommand, '-v, --verbose', 'print each preview')
  flag(removeCommand, '--dry-run', 'change nothing')
  removeCommand.action((options: RemoveOptions & { link?: boolean }) => removeCards(context, options))
}
