import type { Command } from 'commander'
import { c, query } from '../platform/database/index.ts'
import type { Id } from '../core/id.ts'
import { openProgress } from './progress.ts'
import type { CliContext } from './cli_context.ts'
import { formatBytes } from './format_bytes.ts'
import { lookup } from './media_lookup.ts'
import { addRefresh } from './media_refresh.ts'
import { addOrphans } from './media_orphans.ts'
import { addCardRemoval, addRemoval } from './media_remove.ts'
import { measureFiles } from './measure_files.ts'

const attachmentFiles = query('cli/attachment_files', { after: c.id }, { id: c.id, local: c.boolean, files: c.texts })
const emojiFiles = query('cli/emoji_files', { after: c.id }, { id: c.id, local: c.boolean, files: c.texts })
const profileFiles = query(
  'cli/profile_files',
  { after: c.id },
  { id: c.id, local: c.boolean, avatar: c.texts, header: c.texts },
)
const archiveFiles = query('cli/archive_files', { after: c.id }, { id: c.id, file_key: c.text })

const cardFiles = query('cli/card_files', { after: c.id }, { id: c.id, image_key: c.text })
const siteFiles = query('cli/site_files', {}, { files: c.texts })

const KINDS = ['Attachments', 'Custom Emoji', 'Avatars', 'Headers', 'Preview Cards', 'Backups', 'Settings'] as const

/** Sizes in bytes, in total and of local files. */
interface Usage {
  total: number
  local: number
}

/** Iterates over all rows of a query that is paginated by id. */
async function* readAllRows<T extends { id: Id }>(next: (after: Id) => Promise<T[]>): AsyncGenerator<T> {
  for (let after = '0'; ;) {
    const rows = await next(after)
    yield* rows
    const last = rows.at(-1)
    if (!last) return
    after = last.id
  }
}

async function showUsage(context: CliContext): Promise<void> {
  const { database, storage } = await context.services()
  const usage = new Map<(typeof KINDS)[number], Usage>()
  const progress = openProgress(context, 'records')
  const count = async (kind: (typeof KINDS)[number], local: boolean, keys: readonly string[]): Promise<void> => {
    const sum = usage.get(kind) ?? { total: 0, local: 0 }
    const sizeBytes = await measureFiles(storage, keys)
    sum.total += sizeBytes
    if (local) sum.local += sizeBytes
    usage.set(kind, sum)
    progress.add(1)
  }
  for await (const row of readAllRows(after => database.run(attachmentFiles, { after }))) {
    await count('Attachments', row.local, row.files)
  }
  for await (const row of readAllRows(after => database.run(emojiFiles, { after }))) {
    await count('Custom Emoji', row.local, row.files)
  }
  for await (const row of readAllRows(after => database.run(profileFiles, { after }))) {
    await count('Avatars', row.local, row.avatar)
    await count('Headers', row.local, row.header)
  }
  for await (const row of readAllRows(after => database.run(cardFiles, { after }))) {
    await count('Preview Cards', false, [row.image_key])
  }
  for await (const row of readAllRows(after => database.run(archiveFiles, { after }))) {
    await count('Backups', true, [row.file_key])
  }
  await count('Settings', true, (await database.one(siteFiles, {}))?.files ?? [])
  progress.end()
  const rows = KINDS.map(kind => {
    const { total, local } = usage.get(kind) ?? { total: 0, local: 0 }
    return [kind, formatBytes(total), formatBytes(local)]
  })
  context.printTable(['Object', 'Total', 'Local'], rows)
}

/** The commands on stored files. */
export function addMedia(program: Command, context: CliContext): void {
  const group = program.command('media').description('manage stored files')
  group
    .command('usage')
    .description('show the disk space of files')
    .action(() => showUsage(context))
  addRemoval(group, context)
  group
    .command('lookup <url>')
    .description('find the page on which a stored file is shown')
    .action((url: string) => lookup(context, url))
  addRefresh(group, context)
  addOrphans(group, context)
  addCardRemoval(program, context)
}
