import { readFile } from 'node:fs/promises'
import { ApiError } from '../../core/errors.ts'
import type { Id } from '../../core/id.ts'
import type { Services } from '../../platform/services.ts'
import { inFolder, isElsewhere } from '../../platform/storage/index.ts'
import { downloadFile } from '../index.ts'
import { EMOJI_LIMIT_BYTES, UnsuitablePicture } from './picture.ts'
import { findEmojiId, findEmojis, isShortcode, saveEmoji, type StoredEmoji } from './write.ts'

const TIMEOUT_MS = 5000
/** The number of pictures that are downloaded at the same time. */
const DOWNLOADS = 10

/** The bytes of an emoji's picture, stored here or on its server; undefined if there are none. */
async function readPicture(services: Services, { image: { key } }: StoredEmoji): Promise<Buffer | undefined> {
  if (isElsewhere(key))
    return downloadFile(services, key, { maxBytes: EMOJI_LIMIT_BYTES, timeoutMs: TIMEOUT_MS }).catch(
      (error: unknown) => {
        if (error instanceof ApiError) return undefined
        throw error
      },
    )
  return inFolder(services, async folder => {
    const file = await services.storage.copyFor(key, folder)
    return file === undefined ? undefined : readFile(file)
  })
}

/**
 * Adds copies of other servers' emojis to this server, which has no pictures of them until then.
 * Emojis whose shortcode exists here, or whose picture is not there or unsuitable, are left out;
 * returns how many were added.
 */
export async function copyEmojis(services: Services, moderator: Id | null, ids: readonly Id[]): Promise<number> {
  const emojis = (await findEmojis(services.database, ids)).filter(
    ({ domain, shortcode }) => domain !== null && isShortcode(shortcode),
  )
  let copied = 0
  for (let at = 0; at < emojis.length; at += DOWNLOADS) {
    const some = emojis.slice(at, at + DOWNLOADS)
    const pictures = await Promise.all(
      some.map(async emoji =>
        (await findEmojiId(services.database, emoji.shortcode)) === undefined
          ? readPicture(services, emoji)
          : undefined,
      ),
    )
    for (const [index, { shortcode }] of some.entries()) {
      const bytes = pictures[index]
      if (bytes && (await saveCopy(services, moderator, shortcode, bytes))) copied += 1
    }
  }
  return copied
}

async function saveCopy(services: Services, moderator: Id | null, shortcode: string, bytes: Buffer): Promise<boolean> {
  try {
    const emoji = { shortcode, bytes, category: null, isListed: true, overwrites: false }
    return await saveEmoji(services, moderator, emoji)
  } catch (error) {
    if (!(error instanceof UnsuitablePicture)) throw error
    return false
  }
}
