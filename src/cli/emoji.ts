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
  const byName = ({ category, shortcode }: StoredEmoji): string => `${category ?? ''}\0${shortcode}`
  const emojis = await listEmojis(database, { isRemote: false })
  return emojis.sort((one, other) => (byName(one) < byName(other) ? -1 : 1))
}

async function read(file: string): Promise<Buffer> {
  try {
    return await readFile(file)
  } catch (error) {
    throw new CliError(`${file} cannot be read`, { cause: error })
  }
}

async function addOne(session: CliContext, shortcode: string, file: string, options: AddOptions): Promise<void> {
  const bytes = await read(file)
  const name = shortcode.replaceAll(':', '')
  if (!(await add(await session.services(), name, bytes, options))) {
    throw new CliError(`The emoji :${name}: exists already; --overwrite replaces it`)
  }
  session.print('OK')
}

/** Prefix and suffix are added to each shortcode, as in Mastodon's command. */
async function importArchive(session: CliContext, file: string, options: ImportOptions): Promise<void> {
  const packed = await read(file)
  const services = await session.services()
  const { prefix = '', suffix = '', category = null } = options
  const progress = openProgress(session, 'files')
  const done = await importEmojis(
    services,
    null,
    packed,
    { prefix, suffix, category, isListed: options.unlisted !== true, overwrites: options.overwrite === true },
    () => progress.add(1),
  ).catch((error: unknown) => {
    throw error instanceof UnsuitableArchive ? new CliError(error.message, { cause: error }) : error
  })
  progress.end()
  for (const { file: name, error } of done.failed) session.warn(`${name}: ${error?.message ?? SHORTCODE_RULE}`)
  session.print(`Imported ${done.imported}, skipped ${done.skipped}, failed to import ${done.failed.length}`)
}

interface ModifyOptions {
  category?: string
  list?: boolean
  enable?: boolean
}

/** @throws CliError */
async function findEmoji({ database }: Services, given: string): Promise<Id> {
  const [shortcode = '', domain] = given.replaceAll(':', '').split('@')
  const id =
    domain === undefined
      ? await findEmojiId(database, shortcode)
      : (await listEmojis(database, { isRemote: true, shortcode, domain })).find(one => one.shortcode === shortcode)?.id
  if (id === undefined) throw new CliError('No such emoji')
  return id
}

async function modify(session: CliContext, given: string, options: ModifyOptions): Promise<void> {
  const services = await session.services()
  const ids = [await findEmoji(services, given)]
  const { category, list: lists, enable } = options
  if (category !== undefined)
    await changeEmojis(services, null, ids, { change: 'categorize', category: category === '' ? null : category })
  if (lists !== undefined) await changeEmojis(services, null, ids, { change: lists ? 'list' : 'unlist' })
  if (enable !== undefined) await changeEmojis(services, null, ids, { change: enable ? 'enable' : 'disable' })
  session.print('OK')
}

async function copy(session: CliContext, given: string[]): Promise<void> {
  const services = await session.services()
  const ids: Id[] = []
  for (const one of given) ids.push(await findEmoji(services, one))
  session.print(`Copied ${await copyEmojis(services, null, ids)} of ${ids.length}`)
}

async function list(session: CliContext): Promise<void> {
  const rows = (await sortedEmojis(await session.services())).map(emoji => [
    `:${emoji.shortcode}:`,
    emoji.category === null ? '-' : `${emoji.category}${emoji.featured ? ' (stands for it)' : ''}`,
    emoji.disabled ? 'disabled' : emoji.visible_in_picker ? 'listed' : 'unlisted',
    emoji.image.type,
  ])
  session.printTable(['EMOJI', 'CATEGORY', 'STATE', 'TYPE'], rows)
}

async function feature(session: CliContext, given: string): Promise<void> {
  const services = await session.services()
  const emoji = await findEmojiId(services.database, given.replaceAll(':', ''))
  if (emoji === undefined || !(await featureEmoji(services, null, emoji))) {
    throw new CliError('No such emoji in a category')
  }
  session.print('OK')
}

async function remove(session: CliContext, shortcode: string): Promise<void> {
  const services = await session.services()
  const emoji = await findEmojiId(services.database, shortcode.replaceAll(':', ''))
  if (emoji === undefined || (await deleteEmojis(services, null, [emoji])) === 0) throw new CliError('No such emoji')
  session.print('OK')
}

/** Local custom emojis. */
export function addEmoji(program: Command, session: CliContext): void {
  const group = program.command('emoji').description('custom emojis')
  const addition = group
    .command('add <shortcode> <file>')
    .description('add an emoji')
    .option('--category <name>', 'where pickers show it')
  flag(addition, '--unlisted', 'left out of pickers')
  flag(addition, '--overwrite', 'replace the one that is there')
  addition.action((shortcode: string, file: string, options: AddOptions) => addOne(session, shortcode, file, options))
  const importing = group
    .command('import <path>')
    .description('add the pictures of a .tar or .tar.gz; their names are the shortcodes')
    .option('--prefix <text>', 'before each shortcode')
    .option('--suffix <text>', 'after each shortcode')
    .option('--category <name>', 'where pickers show them')
  flag(importing, '--overwrite', 'replace existing emojis')
  flag(importing, '--unlisted', 'left out of pickers')
  importing.action((file: string, options: ImportOptions) => importArchive(session, file, options))
  const exporting = group
    .command('export <path>')
    .description('write the pictures into a .tar.gz that import reads; in a folder, into export.tar.gz')
    .option('--category <name>', 'only these')
  flag(exporting, '--overwrite', 'replace the archive')
  exporting.action((file: string, options: ExportOptions) => exportEmojis(session, file, options))
  const purging = group.command('purge').description('delete all custom emojis')
  flag(purging, '--remote-only', 'only those of other servers')
  flag(purging, '--suspended-only', 'only those of suspended servers')
  purging.action((options: PurgeOptions) => purge(session, options))
  group
    .command('modify <shortcode>')
    .description('change an emoji; one of another server is written shortcode@domain')
    .option('--category <name>', 'where pickers show it; empty: nowhere in particular')
    .option('--list', 'shown in pickers')
    .option('--no-list', 'left out of pickers')
    .option('--enable', 'shown in posts')
    .option('--no-enable', 'not shown in posts')
    .action((shortcode: string, options: ModifyOptions) => modify(session, shortcode, options))
  group
    .command('copy <emojis...>')
    .description('add copies of emojis of other servers, each written shortcode@domain')
    .action((emojis: string[]) => copy(session, emojis))
  group
    .command('list')
    .description('all emojis of this server')
    .action(() => list(session))
  group
    .command('feature <shortcode>')
    .description('let an emoji stand for its category')
    .action((shortcode: string) => feature(session, shortcode))
  group
    .command('delete <shortcode>')
    .description('delete an emoji')
    .action((shortcode: string) => remove(session, shortcode))
}
