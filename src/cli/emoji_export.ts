import { rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { listEmojis, packEmojis, type StoredEmoji } from '../media/custom_emojis/index.ts'
import type { Services } from '../platform/services.ts'
import { CliError } from './cli_error.ts'
import type { CliContext } from './cli_context.ts'
import { openProgress } from './progress.ts'

export interface ExportOptions {
  category?: string
  overwrite?: boolean
}

/** The name of an archive in a folder, as in Mastodon's command. */
const ARCHIVE = 'export.tar.gz'

/**
 * The file to write; in a folder, one with the default name.
 * @throws CliError if the file exists and must not be overwritten
 */
async function resolveArchivePath(target: string, overwrites: boolean): Promise<string> {
  const found = await stat(target).catch(() => undefined)
  const file = found?.isDirectory() ? path.join(target, ARCHIVE) : target
  const exists = file === target ? found !== undefined : (await stat(file).catch(() => undefined)) !== undefined
  if (exists && !overwrites) throw new CliError("Archive already exists! Use '--overwrite' to overwrite it!")
  return file
}

/** @throws CliError */
async function selectEmojis({ database }: Services, category: string | undefined): Promise<StoredEmoji[]> {
  const emojis = await listEmojis(database, { isRemote: false })
  const found = category === undefined ? emojis : emojis.filter(emoji => emoji.category === category)
  if (category !== undefined && found.length === 0) throw new CliError(`Unable to find category '${category}'!`)
  return found.toSorted((one, other) => (one.shortcode < other.shortcode ? -1 : 1))
}

/**
 * `emoji export`: writes the pictures of this server's emojis into an archive that `emoji import`
 * reads. The file appears only when it is complete.
 * @throws CliError
 */
export async function exportEmojis(context: CliContext, target: string, options: ExportOptions): Promise<void> {
  const services = await context.services()
  const file = await resolveArchivePath(target, options.overwrite === true)
  const emojis = await selectEmojis(services, options.category)
  const progress = openProgress(context, 'emojis', emojis.length)
  const temporaryFile = `${file}.${process.pid}.tmp`
  try {
    const count = await packEmojis(services, emojis, {
      file: temporaryFile,
      each(shortcode) {
        context.print(`Adding '${shortcode}'...`)
        progress.add(1)
      },
      missing: name => context.warn(`${name}: the picture is missing`),
    })
    await rename(temporaryFile, file)
    context.print(`Exported ${count}`)
  } catch (error) {
    await rm(temporaryFile, { force: true })
    throw new CliError(`${file} cannot be written`, { cause: error })
  } finally {
    progress.end()
  }
}
