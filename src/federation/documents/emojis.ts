import type { Id } from '../../core/id.ts'
import { shortcodesIn } from '../../core/text/index.ts'
import { typeOfKey } from '../../platform/storage/index.ts'
import { formatDateTime } from '../protocol/index.ts'

/** A local custom emoji, as `federated_emojis` in SQL makes it. */
export interface FederatedEmoji {
  readonly id: Id
  readonly shortcode: string
  readonly image: { readonly key: string }
  readonly updated_at: string
}

/** Where documents find this server and its files. */
export interface Places {
  readonly publicUrl: string
  readonly localDomain: string
  readonly fileUrl: (key: string) => string
}

export const emojiTag = ({ id, shortcode, image, updated_at: updated }: FederatedEmoji, places: Places): object => ({
  id: `${places.publicUrl}/emojis/${id}`,
  type: 'Emoji',
  name: `:${shortcode}:`,
  updated: formatDateTime(new Date(updated)),
  icon: { type: 'Image', mediaType: typeOfKey(image.key), url: places.fileUrl(image.key) },
})

/** The tags for those emojis that the texts use. */
export function emojiTags(
  emojis: readonly FederatedEmoji[] | null,
  texts: readonly string[],
  places: Places,
): object[] {
  if (emojis === null) return []
  const used = new Set(shortcodesIn(texts.join(' ')))
  return emojis.filter(({ shortcode }) => used.has(shortcode)).map(emoji => emojiTag(emoji, places))
}
