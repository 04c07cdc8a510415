import { shortcodesIn } from '../../core/text/index.ts'

/** A row of custom_emojis, as JSON made by `emojis_in` in SQL. */
export interface EmojiRow {
  readonly shortcode: string
  readonly image: { readonly key: string; readonly static_key: string }
  readonly visible_in_picker: boolean
}

/**
 * The known emojis that a text uses, as the entity CustomEmoji in the short form of
 * statuses.
 * @param fileUrl the public URL of a stored file
 */
export function toEmojis(
  known: readonly EmojiRow[] | null,
  text: () => string,
  fileUrl: (key: string) => string,
): object[] {
  if (known === null) return []
  const used = new Set(shortcodesIn(text()))
  return known
    .filter(emoji => used.has(emoji.shortcode))
    .map(emoji => ({
      shortcode: emoji.shortcode,
      url: fileUrl(emoji.image.key),
      static_url: fileUrl(emoji.image.static_key),
      visible_in_picker: emoji.visible_in_picker,
    }))
}
