import type { Id } from '../../core/id.ts'
import { shortcodesIn } from '../../core/text/index.ts'
import { typeOfKey } from '../../platform/storage/index.ts'
import { formatDateTime } from '../protocol/index.ts'

/** A local custom emoji, as the SQL function `federated_emojis` returns it. */
export interface FederatedEmoji {
  readonly id: Id
  readonly shortcode: string
  readonly image: { readonly key: string }
  readonly updated_at: string
}

/** The URLs of this server and of its files. */
export interface ServerUrls {
  readonly publicUrl: string
  readonly localDomain: string
  readonly fileUrl: (key: string) => string
}

export const emojiTag = ({ id, shortcode, image, updated_at: updated }: FederatedEmoji, urls: ServerUrls): object => ({
  id: `${urls.publicUrl}/emojis/${id}`,
  type: 'Emoji',
  name: `:${shortcode}:`,
  updated: formatDateTime(new Date(updated)),
  icon: { type: 'Image', mediaType: typeOfKey(image.key), url: urls.fileUrl(image.key) },
})

/** The tags for the emojis that the texts use. */
export function emojiTags(
  emojis: readonly FederatedEmoji[] | null,
  texts: readonly string[],
  urls: ServerUrls,
): object[] {
  if (emojis === null) return []
  const used = new Set(shortcodesIn(texts.join(' ')))
  return emojis.filter(({ shortcode }) => used.has(shortcode)).map(emoji => emojiTag(emoji, urls))
}
