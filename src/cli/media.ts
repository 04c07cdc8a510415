import type { Command } from 'commander'
import { c, query } from '../platform/database/index.ts'
import type { Id } from '../core/id.ts'
import { removeCachedMedia, removeCardImages, type MediaRemoval } from '../moderation/retention/index.ts'
import type { Services } from '../platform/services.ts'
import type { Storage } from '../platform/storage/index.ts'
import { flag, wholeNumber } from './flag.ts'
import { logOperatorAction } from './log_operator_action.ts'
import { openProgress } from './progress.ts'
import type { CliContext } from './cli_context.ts'
import { formatBytes } from './format_bytes.ts'
import { lookup } from './media_lookup.ts'
import { addRefresh } from './media_refresh.ts'
import { addOrphans } from './media_orphans.ts'

const attachmentFiles = query('cli/attachment_files', { after: c.id }, { id: c.id, local: c.boolean, files: c.texts })
const emojiFiles = query('cli/emoji_files', { after: c.id }, { id: c.id, local: c.boolean, files: c.texts })
const profileFiles = query(
  'cli/profile_files',
  { after: c.id },
  { id: c.id, local: c.boolean, avatar: c.texts, header: c.texts },
)
const archiveFiles = query('cli/archive_files', { after: c.id }, { id: c.id, file_key: c.text })
const DAY_MS = 86_400_000

/** Sizes in bytes, in total and of local files. */
interface Usage {
  total: number
  local: number
}

/** Iterates over all rows of a query that is paginated by id. */
async function* pages<T extends { id: Id }>(next: (after: Id) => Promise<T[]>): AsyncGenerator<T> {
  for (let after = '0'; ;) {
    const rows = await next(after)
    yield* rows
    const last = rows.at(-1)
    if (!last) return
    after = last.id
  }
}

async function measure(storage: Storage, keys: readonly string[]): Promise<number> {
  const found = await Promise.all(keys.map(key => storage.sizeOf(key)))
  return found.reduce<number>((sum, sizeBytes) => sum + (sizeBytes ?? 0), 0)
}

async function showUsage(session: CliContext): Promise<void> {
  const { database, storage } = await session.services()
  const usage = new Map<string, Usage>()
  const progress = openProgress(session, 'records')
  const count = async (kind: string, local: boolean, keys: readonly string[]): Promise<void> => {
    const sum = usage.get(kind) ?? { total: 0, local: 0 }
    const sizeBytes = await measure(storage, keys)
    sum.total += sizeBytes
    if (local) sum.local += sizeBytes
    usage.set(kind, sum)
    progress.add(1)
  }
  for await (const row of pages(after => database.run(attachmentFiles, { after }))) {
    await count('Attachments', row.local, row.files)
  }
  for await (const row of pages(after => database.run(emojiFiles, { after }))) {
    await count('Custom Emoji', row.local, row.files)
  }
  for await (const row of pages(after => database.run(profileFiles, { after }))) {
    await count('Avatars', row.local, row.avatar)
    await count('Headers', row.local, row.header)
  }
  for await (const row of pages(after => database.run(archiveFiles, { after }))) {
    await count('Backups', true, [row.file_key])
  }
  progress.end()
  const rows = ['Attachments', 'Custom Emoji', 'Avatars', 'Headers', 'Backups'].map(kind => {
    const { total, local } = usage.get(kind) ?? { total: 0, local: 0 }
    return [kind, formatBytes(total), formatBytes(local)]
  })
  session.printTable(['Object', 'Total', 'Local'], rows)
}

interface RemoveOptions {
  days: number
  dryRun?: boolean
}

/** Removes files with their sizes and a progress bar; returns what was removed. */
async function removeFiles(
  session: CliContext,
  options: RemoveOptions,
  unit: string,
  work: (services: Services, removal: MediaRemoval) => Promise<void>,
): Promise<{ removed: number; freed: string; dry: string }> {
  const services = await session.services()
  const progress = openProgress(session, unit)
  let removed = 0
  let freedBytes = 0
  await work(services, {
    before: new Date(Date.now() - options.days * DAY_MS),
    dryRun: options.dryRun === true,
    async each(records) {
      for (const { files } of records) freedBytes += await measure(services.storage, files)
      removed += records.length
      progress.add(records.length)
    },
  })
  progress.end()
  return { removed, freed: formatBytes(freedBytes), dry: options.dryRun ? ' (DRY RUN)' : '' }
}

async function logPurge(session: CliContext, type: string, { days, dryRun }: RemoveOptions): Promise<void> {
  if (!dryRun) await logOperatorAction((await session.services()).database, 'purge', { type, name: `${days} d` })
}

async function removeCached(session: CliContext, options: RemoveOptions): Promise<void> {
  await logPurge(session, 'Media', options)
  const { removed, freed, dry } = await removeFiles(session, options, 'attachments', removeCachedMedia)
  session.print(`Removed ${removed} media attachments (approx. ${freed})${dry}`)
}

async function removeCards(session: CliContext, options: RemoveOptions & { link?: boolean }): Promise<void> {
  await logPurge(session, 'PreviewCard', options)
  const { removed, freed, dry } = await removeFiles(session, options, 'preview cards', (services, removal) =>
    removeCardImages(services, { ...removal, linksOnly: options.link === true }),
  )
  session.print(`Removed media from ${removed} preview cards (approx. ${freed})${dry}`)
}

/** Files: their sizes, and removing copies of remote files. */
export function addMedia(program: Command, session: CliContext): void {
  const group = program.command('media').description('stored files')
  group
    .command('usage')
    .description('show the disk space of files')
    .action(() => showUsage(session))
  const removal = group
    .command('remove')
    .description('remove copies of remote attachments; they are fetched again on demand')
    .option('-d, --days <n>', 'older than this many days', wholeNumber(0), 7)
    .option('-c, --concurrency <n>', 'accepted for compatibility', wholeNumber(1), 5)
  flag(removal, '--dry-run', 'change nothing')
  removal.action((options: RemoveOptions) => removeCached(session, options))
  group
    .command('lookup <url>')
    .description('find the page on which a stored file is shown')
    .action((url: string) => lookup(session, url))
  addRefresh(group, session)
  addOrphans(group, session)
  const cards = program
    .command('preview_cards')
    .alias('preview-cards')
    .description('previews of links')
    .command('remove')
    .description('remove the pictures of old link previews')
    .option('--days <n>', 'older than this many days', wholeNumber(0), 180)
    .option('-c, --concurrency <n>', 'accepted for compatibility', wholeNumber(1), 5)
  flag(cards, '--link', 'only of links, not of videos and photos')
  flag(cards, '--dry-run', 'change nothing')
  cards.action((options: RemoveOptions & { link?: boolean }) => removeCards(session, options))
}
