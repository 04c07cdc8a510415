import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type { Command } from 'commander'
import { c, query } from '../platform/database/index.ts'
import type { Services } from '../platform/services.ts'
import { readArchive } from './emoji/archive.ts'
import { storePicture, type EmojiImage } from './emoji/picture.ts'
import { flag } from './flag.ts'
import { openProgress } from './progress.ts'
import { CliError } from './cli_error.ts'
import type { CliContext } from './cli_context.ts'
import { table } from './table.ts'

const allEmojis = query(
  'cli/emojis',
  {},
  {
    shortcode: c.text,
    category: c.nullable(c.text),
    featured: c.boolean,
    visible_in_picker: c.boolean,
    disabled: c.boolean,
    image: c.json<EmojiImage>(),
  },
)
const saveEmoji = query(
  'cli/save_emoji',
  {
    shortcode: c.text,
    image: c.json<EmojiImage>(),
    category: c.nullable(c.text),
    visible: c.boolean,
    overwrite: c.boolean,
  },
  { replaced: c.texts, events: c.events },
)
const deleteEmoji = query('cli/delete_emoji', { shortcode: c.text }, { replaced: c.texts, events: c.events })
const unfeatureCategory = query('cli/unfeature_category', { shortcode: c.text }, {})
const featureEmoji = query('cli/feature_emoji', { shortcode: c.text }, { id: c.id, events: c.events })

interface AddOptions {
  category?: string
  overwrite?: boolean
  unlisted?: boolean
}

interface ImportOptions extends AddOptions {
  prefix?: string
  suffix?: string
}

const SHORTCODE = /^[a-zA-Z0-9_]{2,128}$/
const PICTURE = /\.(png|gif|webp|jpe?g)$/i

/** Returns false if the shortcode exists and must not be overwritten. @throws CliError */
async function add(
  { database, storage }: Services,
  shortcode: string,
  bytes: Buffer,
  options: AddOptions,
): Promise<boolean> {
  if (!SHORTCODE.test(shortcode)) {
    throw new CliError('A shortcode has 2 to 128 letters, digits and underscores')
  }
  const image = await storePicture(storage, bytes)
  const saved = await database.one(saveEmoji, {
    shortcode,
    image,
    category: options.category ?? null,
    visible: options.unlisted !== true,
    overwrite: options.overwrite === true,
  })
  const unused = saved ? saved.replaced : [image.key, image.static_key]
  for (const key of new Set(unused)) await storage.remove(key)
  return saved !== undefined
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
  const files = readArchive(await read(file))
  const services = await session.services()
  const known = new Set((await services.database.run(allEmojis, {})).map(emoji => emoji.shortcode))
  let imported = 0
  let skipped = 0
  let failed = 0
  const progress = openProgress(session, 'files', files.length)
  for (const { path: name, bytes } of files) {
    progress.add(1)
    const base = path.posix.basename(name)
    if (base.startsWith('.') || !PICTURE.test(base)) continue
    const shortcode = `${options.prefix ?? ''}${base.replace(PICTURE, '')}${options.suffix ?? ''}`
    if (known.has(shortcode) && !options.overwrite) {
      skipped += 1
      continue
    }
    try {
      if (await add(services, shortcode, bytes, options)) imported += 1
      else skipped += 1
    } catch (error) {
      if (!(error instanceof CliError)) throw error
      failed += 1
      session.warn(`${name}: ${error.message}`)
    }
  }
  progress.end()
  session.print(`Imported ${imported}, skipped ${skipped}, failed to import ${failed}`)
}

async function list(session: CliContext): Promise<void> {
  const { database } = await session.services()
  const rows = (await database.run(allEmojis, {})).map(emoji => [
    `:${emoji.shortcode}:`,
    emoji.category === null ? '-' : `${emoji.category}${emoji.featured ? ' (stands for it)' : ''}`,
    emoji.disabled ? 'disabled' : emoji.visible_in_picker ? 'listed' : 'unlisted',
    emoji.image.type,
  ])
  for (const line of table(['EMOJI', 'CATEGORY', 'STATE', 'TYPE'], rows)) session.print(line)
}

async function feature(session: CliContext, given: string): Promise<void> {
  const shortcode = given.replaceAll(':', '')
  const { database } = await session.services()
  const done = await database.transaction(async transaction => {
    await transaction.run(unfeatureCategory, { shortcode })
    return transaction.one(featureEmoji, { shortcode })
  })
  if (!done) throw new CliError('No such emoji in a category')
  session.print('OK')
}

async function remove(session: CliContext, shortcode: string): Promise<void> {
  const { database, storage } = await session.services()
  const gone = await database.one(deleteEmoji, { shortcode: shortcode.replaceAll(':', '') })
  if (!gone) throw new CliError('No such emoji')
  for (const key of gone.replaced) await storage.remove(key)
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
