import { loadSharp, type Picture } from '../../platform/storage/index.ts'

type Colour = readonly [red: number, green: number, blue: number]

/** The colours in MediaMeta that audio players use. */
export interface Colours {
  readonly background: string
  readonly foreground: string
  readonly accent: string
}

const SIDE = 64
/** Colours with equal highest three bits are counted as one. */
const LOST_BITS = 5
/** WCAG 2.1: text needs 4.5, parts of a control 3. */
const MIN_TEXT_CONTRAST = 4.5
const MIN_CONTRAST = 3
const WHITE: Colour = [255, 255, 255]
const BLACK: Colour = [0, 0, 0]

/** Relative luminance as WCAG 2.1 defines it. */
function luminance(colour: Colour): number {
  const [red, green, blue] = colour.map(value => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * (red ?? 0) + 0.7152 * (green ?? 0) + 0.0722 * (blue ?? 0)
}

function contrast(one: Colour, other: Colour): number {
  const [a, b] = [luminance(one), luminance(other)]
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
}

const saturation = (colour: Colour): number => (Math.max(...colour) - Math.min(...colour)) / 255
const toHex = (colour: Colour): string => `#${colour.map(value => value.toString(16).padStart(2, '0')).join('')}`

/**
 * The colours of some pixels, the most frequent first; each is the mean of the colours counted with
 * it.
 */
function palette(pixels: readonly Colour[]): Colour[] {
  const groups = new Map<string, { count: number; sum: [number, number, number] }>()
  for (const [red, green, blue] of pixels) {
    const key = `${red >> LOST_BITS},${green >> LOST_BITS},${blue >> LOST_BITS}`
    const group = groups.get(key) ?? { count: 0, sum: [0, 0, 0] }
    group.count += 1
    group.sum = [group.sum[0] + red, group.sum[1] + green, group.sum[2] + blue]
    groups.set(key, group)
  }
  return [...groups.values()]
    .toSorted((a, b) => b.count - a.count)
    .map(({ count, sum: [red, green, blue] }) => [
      Math.round(red / count),
      Math.round(green / count),
      Math.round(blue / count),
    ])
}

/**
 * Chooses colours from the pixels of a square picture: the background from its edge, the others for
 * their contrast with it.
 */
export function chooseColours(pixels: readonly Colour[], side: number): Colours {
  const edge = pixels.filter((_, index) => {
    const [x, y] = [index % side, Math.floor(index / side)]
    return x === 0 || y === 0 || x === side - 1 || y === side - 1
  })
  const background = palette(edge)[0] ?? BLACK
  const all = palette(pixels)
  const plain = contrast(background, WHITE) >= contrast(background, BLACK) ? WHITE : BLACK
  const foreground = all.find(colour => contrast(colour, background) >= MIN_TEXT_CONTRAST) ?? plain
  const accent = all
    .filter(colour => contrast(colour, background) >= MIN_CONTRAST)
    .toSorted((a, b) => saturation(b) - saturation(a))[0]
  return { background: toHex(background), foreground: toHex(foreground), accent: toHex(accent ?? foreground) }
}

/** The colours of a cover. */
export async function coloursOf(picture: Picture): Promise<Colours> {
  const sharp = await loadSharp()
  const data = await sharp(picture.bytes)
    .resize(SIDE, SIDE, { fit: 'fill' })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer()
  const pixels = Array.from({ length: SIDE * SIDE }, (_, index): Colour => [
    data[index * 3] ?? 0,
    data[index * 3 + 1] ?? 0,
    data[index * 3 + 2] ?? 0,
  ])
  return chooseColours(pixels, SIDE)
}
