import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import type { Id } from '../core/id.ts'
import {
  changeEmojis,
  copyEmojis,
  deleteEmojis,
  featureEmoji,
  findEmojiId,
  importEmojis,
  isShortcode,
  listEmojis,
  saveEmoji,
  UnsuitableArchive,
  UnsuitablePicture,
  type StoredEmoji,
} from '../media/custom_emojis/index.ts'
import type { Services } from '../platform/services.ts'
import { exportEmojis, type ExportOptions } from './emoji_export.ts'
import { purge, type PurgeOptions } from './emoji_purge.ts'
import { flag } from './flag.ts'
import { openProgress } from './progress.ts'
import { CliError } from './cli_error.ts'
import type { CliContext } from './cli_context.ts'

interface AddOptions {
  category?: string
  overwrite?: boolean
  unlisted?: boolean
}

interface ImportOptions extends AddOptions {
  prefix?: string
  suffix?: string
}

const SHORTCODE_RULE = 'A shortcode has 2 to 128 letters, digits and underscores'

/** Returns false if the shortcode exists and must not be overwritten. @throws CliError */
async function add(services: Services, shortcode: string, bytes: Buffer, options: AddOptions): Promise<boolean> {
  if (!isShortcode(shortcode)) throw new CliError(SHORTCODE_RULE)
  try {
    return await saveEmoji(services, null, {
      shortcode,
      bytes,
      category: options.category ?? null,
      isListed: options.unlisted !== true,
      overwrites: options.overwrite === true,
    })
  } catch (error) {
    if (!(error instanceof UnsuitablePicture)) throw error
    throw new CliError(error.message, { cause: error })
  }
}

/** The emojis of this server, by category and shortcode. */
async function sortedEmojis({ database }: Services): Promise<StoredEmoji[]> {
  const sortKey = ({ category, shortcode }: StoredEmoji): string => `${category ?? ''}\0${shortcode}`
  const emojis = await listEmojis(database, { isRemote: false })
  return emojis.sort((one, other) => (sortKey(one) < sortKey(other) ? -1 : 1))
}

async function read(file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (error) {
    throw new CliError(`${file} cannot be read`, { cause: error })
  }
}

async function addOne(context: CliContext, shortcode: string, file: string, options: AddOptions): Promise<void> {
  const bytes = await read(file)
  const name = shortcode.replaceAll(':', '')
  if (!(await add(await context.services(), name, bytes, options))) {
    throw new CliError(`The emoji :${name}: exists already; --overwrite replaces it`)
  }
  context.print('OK')
}

/** Prefix and suffix are added to each shortcode, as in Mastodon's command. */
async function importArchive(context: CliContext, file: string, options: ImportOptions): Promise<void> {
  const archive = await read(file)
  const services = await context.services()
  const { prefix = '', suffix = '', category = null } = options
  const progress = openProgress(context, 'files')
  const result = await importEmojis(
    services,
    null,
    archive,
    { prefix, suffix, category, isListed: options.unlisted !== true, overwrites: options.overwrite === true },
    () => progress.add(1),
  ).catch((error: unknown) => {
    throw error instanceof UnsuitableArchive ? new CliError(error.message, { cause: error }) : error
  })
  progress.end()
  for (const { file: name, error } of result.failed) context.warn(`${name}: ${error?.message ?? SHORTCODE_RULE}`)
  context.print(`Imported ${result.imported}, skipped ${result.skipped}, failed to import ${result.failed.length}`)
}

interface ModifyOptions {
  category?: string
  list?: boolean
  enable?: boolean
}

/** @throws CliError */
async function findEmoji({ database }: Services, name: string): Promise<Id> {
  const [shortcode = '', domain] = name.replaceAll(':', '').split('@')
  const id =
    domain === undefined
      ? await findEmojiId(database, shortcode)
      : (await listEmojis(database, { isRemote: true, shortcode, domain })).find(one => one.shortcode === shortcode)?.id
  if (id === undefined) throw new CliError('No such emoji')
  return id
}

async function modify(context: CliContext, name: string, options: ModifyOptions): Promise<void> {
  const services = await context.services()
  const ids = [await findEmoji(services, name)]
  const { category, list: lists, enable } = options
  if (category !== undefined)
    await changeEmojis(services, null, ids, { change: 'categorize', category: category === '' ? null : category })
  if (lists !== undefined) await changeEmojis(services, null, ids, { change: lists ? 'list' : 'unlist' })
  if (enable !== undefined) await changeEmojis(services, null, ids, { change: enable ? 'enable' : 'disable' })
  context.print('OK')
}

async function copy(context: CliContext, names: string[]): Promise<void> {
  const services = await context.services()
  const ids: Id[] = []
  for (const name of names) ids.push(await findEmoji(services, name))
  context.print(`Copied ${await copyEmojis(services, null, ids)} of ${ids.length}`)
}

async function list(context: CliContext): Promise<void> {
  const rows = (await sortedEmojis(await context.services())).map(emoji => [
    `:${emoji.shortcode}:`,
    emoji.category === null ? '-' : `${emoji.category}${emoji.featured ? ' (stands for it)' : ''}`,
    emoji.disabled ? 'disabled' : emoji.visible_in_picker ? 'listed' : 'unlisted',
    emoji.image.type,
  ])
  context.printTable(['EMOJI', 'CATEGORY', 'STATE', 'TYPE'], rows)
}

async function feature(context: CliContext, shortcode: string): Promise<void> {
  const services = await context.services()
  const emoji = await findEmojiId(services.database, shortcode.replaceAll(':', ''))
  if (emoji === undefined || !(await featureEmoji(services, null, emoji))) {
    throw new CliError('No such emoji in a category')
  }
  context.print('OK')
}

async function remove(context: CliContext, shortcode: string): Promise<void> {
  const services = await context.services()
  const emoji = await findEmojiId(services.database, shortcode.replaceAll(':', ''))
  if (emoji === undefined || (await deleteEmojis(services, null, [emoji])) === 0) throw new CliError('No such emoji')
  context.print('OK')
}

/** The commands on custom emojis. */
export function addEmoji(program: Command, context: CliContext): void {
  const group = program.command('emoji').description('manage custom emojis')
  const addCommand = group
    .command('add <shortcode> <file>')
    .description('add an emoji')
    .option('--category <name>', 'category in pickers')
  flag(addCommand, '--unlisted', 'hide from pickers')
  flag(addCommand, '--overwrite', 'replace an existing emoji')
  addCommand.action((shortcode: string, file: string, options: AddOptions) => addOne(context, shortcode, file, options))
  const importCommand = group
    .command('import <path>')
    .description('import the images of a .tar or .tar.gz; file names are the shortcodes')
    .option('--prefix <text>', 'prefix of each shortcode')
    .option('--suffix <text>', 'suffix of each shortcode')
    .option('--category <name>', 'category in pickers')
  flag(importCommand, '--overwrite', 'replace existing emojis')
  flag(importCommand, '--unlisted', 'hide from pickers')
  importCommand.action((file: string, options: ImportOptions) => importArchive(context, file, options))
  const exportCommand = group
    .command('export <path>')
    .description('export the images to a .tar.gz for import; given a folder, to export.tar.gz in it')
    .option('--category <name>', 'only emojis of this category')
  flag(exportCommand, '--overwrite', 'replace the archive')
  exportCommand.action((file: string, options: ExportOptions) => exportEmojis(context, file, options))
  const purgeCommand = group.command('purge').description('delete all custom emojis')
  flag(purgeCommand, '--remote-only', 'only those of other servers')
  flag(purgeCommand, '--suspended-only', 'only those of suspended servers')
  purgeCommand.action((options: PurgeOptions) => purge(context, options))
  group
    .command('modify <shortcode>')
    .description('change an emoji; name a remote one as shortcode@domain')
    .option('--category <name>', 'category in pickers; empty for none')
    .option('--list', 'show in pickers')
    .option('--no-list', 'hide from pickers')
    .option('--enable', 'show in posts')
    .option('--no-enable', 'hide in posts')
    .action((shortcode: string, options: ModifyOptions) => modify(context, shortcode, options))
  group
    .command('copy <emojis...>')
    .description('copy emojis of other servers, each named as shortcode@domain')
    .action((emojis: string[]) => copy(context, emojis))
  group
    .command('list')
    .description('list the emojis of this server')
    .action(() => list(context))
  group
    .command('feature <shortcode>')
    .description('feature an emoji as the icon of its category')
    .action((shortcode: string) => feature(context, shortcode))
  group
    .command('delete <shortcode>')
    .description('delete an emoji')
    .action((shortcode: string) => remove(context, shortcode))
}
