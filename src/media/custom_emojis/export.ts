import { copyFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { create } from 'tar'
import type { Services } from '../../platform/services.ts'
import { inFolder } from '../../platform/storage/index.ts'
import type { StoredEmoji } from './write.ts'

/** An archive without files: two blocks of zeros (POSIX pax, "ustar Interchange Format"). */
const EMPTY_ARCHIVE = gzipSync(Buffer.alloc(1024))

interface Packing {
  /** The archive, which appears when it is complete. */
  readonly file: string
  /** Called before each emoji is added. */
  each?(shortcode: string): void
  /** Called with the name of each file whose picture is missing. */
  missing?(name: string): void
}

/**
 * Writes the pictures of emojis into a compressed archive that `importEmojis` reads; the names of
 * the files are the shortcodes.
 * @returns the number of files
 */
export async function packEmojis(
  services: Services,
  emojis: readonly StoredEmoji[],
  { file, each, missing }: Packing,
): Promise<number> {
  const names: string[] = []
  await inFolder(services, async folder => {
    for (const { shortcode, image } of emojis) {
      each?.(shortcode)
      const source = await services.storage.copyFor(image.key, folder)
      const name = `${shortcode}${path.extname(image.key)}`
      if (source === undefined) missing?.(name)
      else {
        await copyFile(source, path.join(folder, name))
        names.push(name)
      }
    }
    // `create` refuses to make an archive without files.
    if (names.length === 0) await writeFile(file, EMPTY_ARCHIVE)
    else await create({ gzip: true, portable: true, cwd: folder, file }, names)
  })
  return names.length
}
