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
import { measure } from './measure.ts'
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

const before = ({ days }: RemoveOptions): Date => new Date(Date.now() - days * DAY_MS)
const dryMark = ({ dryRun }: RemoveOptions): string => (dryRun ? ' (DRY RUN)' : '')

/** Removes files with their sizes and a progress bar; returns what was removed. */
async function removeFiles(
  session: CliContext,
  options: RemoveOptions,
  unit: string,
  work: (services: Services, removal: MediaRemoval) => Promise<void>,
): Promise<{ removed: number; freed: string }> {
  const services = await session.services()
  const progress = openProgress(session, unit)
  let removed = 0
  let freedBytes = 0
  await work(services, {
    before: before(options),
    dryRun: options.dryRun === true,
    async each(records) {
      for (const { files } of records) freedBytes += await measure(services.storage, files)
      if (options.verbose) for (const { id } of records) session.print(id)
      removed += records.length
      progress.add(records.length)
    },
  })
  progress.end()
  return { removed, freed: formatBytes(freedBytes) }
}

async function logPurge(session: CliContext, type: string, { days, dryRun }: RemoveOptions): Promise<void> {
  if (!dryRun) await logOperatorAction((await session.services()).database, 'purge', { type, name: `${days} d` })
}

async function removeCached(session: CliContext, options: MediaOptions): Promise<void> {
  await logPurge(session, 'Media', options)
  const { removed, freed } = await removeFiles(session, options, 'attachments', (services, removal) =>
    removeCachedMedia(services, { ...removal, keepInteracted: options.keepInteracted === true }),
  )
  session.print(`Removed ${removed} media attachments (approx. ${freed})${dryMark(options)}`)
}

async function removePictures(session: CliContext, options: MediaOptions): Promise<void> {
  const services = await session.services()
  await logPurge(session, 'Media', options)
  const progress = openProgress(session, 'accounts')
  let visited = 0
  let freedBytes = 0
  await removeCopiedPictures(services, {
    before: before(options),
    headersOnly: options.removeHeaders === true,
    includeFollows: options.includeFollows === true,
    dryRun: options.dryRun === true,
    async each(accounts, files) {
      freedBytes += await measure(services.storage, files)
      if (options.verbose) for (const acct of accounts) session.print(acct)
      visited += accounts.length
      progress.add(accounts.length)
    },
  })
  progress.end()
  const freed = formatBytes(freedBytes)
  session.print(`Visited ${visited} accounts and removed profile media totaling ${freed}${dryMark(options)}`)
}

/** `media remove`. @throws CliError */
async function remove(session: CliContext, options: MediaOptions): Promise<void> {
  const ofProfiles = options.pruneProfiles === true || options.removeHeaders === true
  if (options.pruneProfiles && options.removeHeaders)
    throw new CliError('--prune-profiles and --remove-headers should not be specified simultaneously')
  if (options.includeFollows && !ofProfiles)
    throw new CliError('--include-follows can only be used with --prune-profiles or --remove-headers')
  await (ofProfiles ? removePictures(session, options) : removeCached(session, options))
}

async function removeCards(session: CliContext, options: RemoveOptions & { link?: boolean }): Promise<void> {
  await logPurge(session, 'PreviewCard', options)
  const { removed, freed } = await removeFiles(session, options, 'preview cards', (services, removal) =>
    removeCardImages(services, { ...removal, linksOnly: options.link === true }),
  )
  session.print(`Removed media from ${removed} preview cards (approx. ${freed})${dryMark(options)}`)
}

/** `media remove`: copies of files of other servers. */
export function addRemoval(group: Command, session: CliContext): void {
  const removal = group
    .command('remove')
    .description('remove copies of remote attachments, which are fetched again on demand, or of profile pictures')
    .option('-d, --days <n>', 'older than this many days', wholeNumber(0), 7)
    .option('-c, --concurrency <n>', 'accepted for compatibility', concurrency, 5)
  flag(
    removal,
    '--prune-profiles',
    'instead avatars and headers of accounts that nobody here follows or is followed by',
  )
  flag(removal, '--remove-headers', 'instead their headers only')
  flag(removal, '--include-follows', 'with either: also of accounts with such follows')
  flag(removal, '--keep-interacted', 'keep attachments of posts that somebody here has interacted with')
  flag(removal, '-v, --verbose', 'print each attachment or account')
  flag(removal, '--dry-run', 'change nothing')
  removal.action((options: MediaOptions) => remove(session, options))
}

/** `preview_cards remove`. */
export function addCardRemoval(program: Command, session: CliContext): void {
  const cards = program
    .command('preview_cards')
    .alias('preview-cards')
    .description('previews of links')
    .command('remove')
    .description('remove the pictures of old link previews')
    .option('--days <n>', 'older than this many days', wholeNumber(0), 180)
    .option('-c, --concurrency <n>', 'accepted for compatibility', concurrency, 5)
  flag(cards, '--link', 'only of links, not of videos and photos')
  flag(cards, '-v, --verbose', 'print each preview')
  flag(cards, '--dry-run', 'change nothing')
  cards.action((options: RemoveOptions & { link?: boolean }) => removeCards(session, options))
}
