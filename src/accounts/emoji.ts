/** The row of `accounts/emojis`. */
export interface EmojiRow {
  shortcode: string
  domain: string | null
  image: { key: string; static_key: string; type: string }
  visible_in_picker: boolean
}

/** The key of an emoji: shortcode and server. */
export const emojiKey = (shortcode: string, domain: string | null): string => `${shortcode}@${domain ?? ''}`

/** The entity CustomEmoji inside of accounts. */
export const renderEmoji = (row: EmojiRow, mediaUrl: (key: string) => string): object => ({
  shortcode: row.shortcode,
  url: mediaUrl(row.image.key),
  static_url: mediaUrl(row.image.static_key),
  visible_in_picker: row.visible_in_picker,
})
