import type { Command } from 'commander'
import { c, query } from '../platform/database/index.ts'
import type { Id } from '../core/id.ts'
import { removeCachedMedia } from '../moderation/retention/index.ts'
import type { Storage } from '../platform/storage/index.ts'
import { flag, wholeNumber } from './flag.ts'
import { logOperatorAction } from './log_operator_action.ts'
import { openProgress } from './progress.ts'
import type { CliContext } from './cli_context.ts'
import { formatBytes } from './format_bytes.ts'

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

async function removeCached(session: CliContext, options: { days: number; dryRun?: boolean }): Promise<void> {
  const services = await session.services()
  const before = new Date(Date.now() - options.days * DAY_MS)
  if (!options.dryRun) await logOperatorAction(services.database, 'purge', { type: 'Media', name: `${options.days} d` })
  const progress = openProgress(session, 'attachments')
  let removed = 0
  let freedBytes = 0
  await removeCachedMedia(services, {
    before,
    dryRun: options.dryRun === true,
    async each(attachments) {
      for (const { files } of attachments) freedBytes += await measure(services.storage, files)
      removed += attachments.length
      progress.add(attachments.length)
    },
  })
  progress.end()
  const dry = options.dryRun ? ' (DRY RUN)' : ''
  session.print(`Removed ${removed} media attachments (approx. ${formatBytes(freedBytes)})${dry}`)
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
  removal.action((options: { days: number; dryRun?: boolean }) => removeCached(session, options))
}
