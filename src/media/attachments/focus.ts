export interface Focus {
  readonly x: number
  readonly y: number
}

/**
 * The point of a picture that stays visible when it is cropped: `x,y` from the centre, y up,
 * usually from -1 to 1. Whatever is no number is 0, as in Mastodon: some clients write numbers in
 * the user's language (`0,50,-0,30`), which must not cost the description in the same request.
 * @returns null for an empty text
 */
export function parseFocus(text: string): Focus | null {
  if (text.trim() === '') return null
  const [x = '', y = ''] = text.split(',', 2)
  return { x: leadingNumber(x), y: leadingNumber(y) }
}

function leadingNumber(text: string): number {
  const number = Number.parseFloat(text)
  return Number.isFinite(number) ? number : 0
}
