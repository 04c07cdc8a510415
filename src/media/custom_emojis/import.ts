import path from 'node:path'
import type { Id } from '../../core/id.ts'
import type { Services } from '../../platform/services.ts'
import { readArchive } from './archive.ts'
import { UnsuitablePicture } from './picture.ts'
import { isShortcode, listEmojis, saveEmoji } from './write.ts'

/** How the emojis of an archive are stored. */
export interface EmojiImport {
  /** Before and after the name of each file. */
  readonly prefix: string
  readonly suffix: string
  readonly category: string | null
  readonly isListed: boolean
  readonly overwrites: boolean
  /** The size of the unpacked archive; a gigabyte by default. */
  readonly maxBytes?: number
}

/** The outcome of an import. */
export interface ImportedEmojis {
  readonly imported: number
  /** Names that exist and must not be overwritten. */
  readonly skipped: number
  /** Files that cannot be emojis, with the reason; undefined for an unsuitable name. */
  readonly failed: readonly { readonly file: string; readonly error: UnsuitablePicture | undefined }[]
}

const PICTURE = /\.(png|gif|webp|jpe?g)$/i

/**
 * Adds the pictures of a tar archive, gzipped or not; their names are the shortcodes. Other files
 * are left out.
 * @param moderator null: the operator
 * @param progress called with the number of processed files and of all files
 * @throws UnsuitableArchive
 */
export async function importEmojis(
  services: Services,
  moderator: Id | null,
  packed: Buffer,
  { prefix, suffix, category, isListed, overwrites, maxBytes }: EmojiImport,
  progress?: (done: number, all: number) => void,
): Promise<ImportedEmojis> {
  const files = await readArchive(packed, maxBytes)
  const known = new Set((await listEmojis(services.database, { isRemote: false })).map(emoji => emoji.shortcode))
  let imported = 0
  let skipped = 0
  const failed: { file: string; error: UnsuitablePicture | undefined }[] = []
  for (const [index, { path: name, bytes }] of files.entries()) {
    progress?.(index + 1, files.length)
    const base = path.posix.basename(name)
    if (base.startsWith('.') || !PICTURE.test(base)) continue
    const shortcode = `${prefix}${base.replace(PICTURE, '')}${suffix}`
    if (known.has(shortcode) && !overwrites) {
      skipped += 1
      continue
    }
    if (!isShortcode(shortcode)) {
      failed.push({ file: name, error: undefined })
      continue
    }
    try {
      if (await saveEmoji(services, moderator, { shortcode, bytes, category, isListed, overwrites })) imported += 1
      else skipped += 1
    } catch (error) {
      if (!(error instanceof UnsuitablePicture)) throw error
      failed.push({ file: name, error })
    }
  }
  return { imported, skipped, failed }
}
