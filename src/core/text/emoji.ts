const SHORTCODE = /(?<![\p{Alphabetic}\p{Nd}:]):([a-zA-Z0-9_]{2,}):(?![\p{Alphabetic}\p{Nd}:])/gu

/** The shortcodes of custom emojis in a text, without colons, each once, in order of appearance. */
export function shortcodesIn(text: string): string[] {
  if (!text.includes(':')) return []
  const found = new Set<string>()
  for (const [, shortcode] of text.matchAll(SHORTCODE)) if (shortcode !== undefined) found.add(shortcode)
  return [...found]
}

/** Replaces each shortcode, colons included, by the result of `mark`. */
export const markShortcodes = (text: string, mark: (shortcode: string) => string): string =>
  text.includes(':') ? text.replace(SHORTCODE, found => mark(found)) : text
