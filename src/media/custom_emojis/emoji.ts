import { shortcodesIn } from '../../core/text/index.ts'

/** A row of custom_emojis, as `emojis_in` in SQL makes JSON of it. */
export interface EmojiRow {
  readonly shortcode: string
  readonly image: { readonly key: string; readonly static_key: string }
  readonly visible_in_picker: boolean
}

/**
 * The emojis, of those that are known, which a text uses: entity CustomEmoji in the short form of statuses.
 * @param fileUrl where a stored file is found by clients
 */
export function toEmojis(known: readonly EmojiRow[] | null, text: string, fileUrl: (key: string) => string): object[] {
  if (known === null) return []
  const used = new Set(shortcodesIn(text))
  return known
    .filter(emoji => used.has(emoji.shortcode))
    .map(emoji => ({
      shortcode: emoji.shortcode,
      url: fileUrl(emoji.image.key),
      static_url: fileUrl(emoji.image.static_key),
      visible_in_picker: emoji.visible_in_picker,
    }))
}
