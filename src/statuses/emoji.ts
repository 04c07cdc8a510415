import { shortcodesIn } from '../text/index.ts'
import type { FileUrl } from '../media/index.ts'

/** A row of custom_emojis, as the statements of this domain make JSON of it. */
export interface EmojiRow {
  readonly shortcode: string
  readonly image: { readonly key: string; readonly static_key: string }
  readonly visible_in_picker: boolean
}

/** The emojis, of those that are known, which these texts use: entity CustomEmoji in the short form of statuses. */
export function toEmojis(known: readonly EmojiRow[] | null, text: string, fileUrl: FileUrl): object[] {
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
