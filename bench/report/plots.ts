/** Inline SVG, so that a report is one file. */

const WIDTH = 720
const ROW = 26
const LABEL = 240
const ROOM_FOR_TEXT = 110
/** About the width of a character. */
const CHARACTER = 7
const HEIGHT = 240
const MARGIN = { left: 64, right: 12, top: 12, bottom: 28 }

export const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

export interface Bar {
  label: string
  value: number
  spread: number
  text: string
}

/** A label that fits into the width; the whole of a longer one is shown when it is pointed at. */
function fit(label: string, width: number): string {
  const room = Math.floor(width / CHARACTER)
  if (label.length <= room) return escapeText(label)
  const half = Math.floor((room - 1) / 2)
  return `<title>${escapeText(label)}</title>${escapeText(`${label.slice(0, half)}…${label.slice(-half)}`)}`
}

const figure = (title: string, height: number, drawn: string): string =>
  `<figure><figcaption>${escapeText(title)}</figcaption><svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escapeText(title)}">${drawn}</svg></figure>`

/** Horizontal bars from zero, one for each subject, with a whisker for the spread. */
export function drawBars(title: string, rows: readonly Bar[]): string {
  const largest = Math.max(...rows.map(row => row.value + row.spread), Number.MIN_VALUE)
  const scale = (value: number): number => (Math.max(0, value) / largest) * (WIDTH - LABEL - ROOM_FOR_TEXT)
  const drawn = rows.map((row, index) => {
    const y = index * ROW
    const [low, high] = [LABEL + scale(row.value - row.spread), LABEL + scale(row.value + row.spread)]
    // Nought is drawn as nought, and anything more can be seen.
    const width = row.value > 0 ? Math.max(1, scale(row.value)) : 0
    return `<text x="${LABEL - 8}" y="${y + 17}" text-anchor="end">${fit(row.label, LABEL - 16)}</text><rect class="bar" x="${LABEL}" y="${y + 4}" width="${width.toFixed(1)}" height="${ROW - 8}" rx="2"/><line class="whisker" x1="${low.toFixed(1)}" x2="${high.toFixed(1)}" y1="${y + 13}" y2="${y + 13}"/><text x="${(high + 6).toFixed(1)}" y="${y + 17}">${escapeText(row.text)}</text>`
  })
  return figure(title, rows.length * ROW, drawn.join(''))
}

export interface Line {
  label: string
  points: readonly { x: number; y: number }[]
}

interface Axes {
  ticks: readonly { x: number; label: string }[]
  logarithmic: boolean
}

/**
 * The labelled levels of the y axis: quarters of the largest value, or powers of ten, and below
 * them nought, which has no place on a logarithmic scale, if a value is nought.
 */
function levelsOf(values: readonly number[], logarithmic: boolean): number[] {
  const positive = values.filter(value => value > 0)
  if (positive.length === 0) return [0, 1]
  const largest = Math.max(...positive)
  if (!logarithmic) return [0, 0.25, 0.5, 0.75, 1].map(part => part * largest)
  const [from, to] = [Math.floor(Math.log10(Math.min(...positive))), Math.ceil(Math.log10(largest))]
  const powers = Array.from({ length: Math.max(2, to - from + 1) }, (_, index) => 10 ** (from + index))
  return positive.length < values.length ? [0, ...powers] : powers
}

/** Places a level or value on the axis; on a logarithmic one nought is a decade below the rest. */
function scaleOf(levels: readonly number[], logarithmic: boolean): (value: number) => number {
  if (!logarithmic) return value => value
  const lowest = Math.log10(levels.find(level => level > 0) ?? 1)
  return value => (value > 0 ? Math.log10(value) : lowest - 1)
}

/** A level with at most seven characters. */
function showLevel(level: number): string {
  if (level >= 1e6) return level.toLocaleString('en', { notation: 'compact' })
  return level >= 10 ? Math.round(level).toLocaleString('en') : String(Number(level.toPrecision(2)))
}

/** Lines with a shared x axis and labels. */
export function drawLines(title: string, lines: readonly Line[], { ticks, logarithmic }: Axes): string {
  const points = lines.flatMap(line => line.points)
  const levels = levelsOf(
    points.map(({ y }) => y),
    logarithmic,
  )
  const scaled = scaleOf(levels, logarithmic)
  const [low, high] = [scaled(levels[0] ?? 1), scaled(levels.at(-1) ?? 1)]
  const lastX = Math.max(...ticks.map(({ x }) => x), Number.MIN_VALUE)
  const placeX = (x: number): number => MARGIN.left + (x / lastX) * (WIDTH - MARGIN.left - MARGIN.right)
  const placeY = (y: number): number =>
    HEIGHT -
    MARGIN.bottom -
    ((scaled(y) - low) / Math.max(high - low, Number.MIN_VALUE)) * (HEIGHT - MARGIN.top - MARGIN.bottom)
  const grid = levels.map(level => {
    const y = placeY(level).toFixed(1)
    return `<line class="axis" x1="${MARGIN.left}" x2="${WIDTH - MARGIN.right}" y1="${y}" y2="${y}" opacity="0.2"/><text x="${MARGIN.left - 6}" y="${Number(y) + 4}" text-anchor="end">${showLevel(level)}</text>`
  })
  const marks = ticks.map(
    ({ x, label }) =>
      `<text x="${placeX(x).toFixed(1)}" y="${HEIGHT - 8}" text-anchor="${x === lastX ? 'end' : x === 0 ? 'start' : 'middle'}">${escapeText(label)}</text>`,
  )
  const drawn = lines.map((line, index) => {
    const path = line.points.map(({ x, y }) => `${placeX(x).toFixed(1)},${placeY(y).toFixed(1)}`).join(' ')
    const y = HEIGHT + 16 + index * 18
    return `<polyline class="line s${index % 6}" points="${path}"/><line class="line s${index % 6}" x1="${MARGIN.left}" x2="${MARGIN.left + 24}" y1="${y - 4}" y2="${y - 4}"/><text x="${MARGIN.left + 32}" y="${y}">${fit(line.label, WIDTH - MARGIN.left - 40)}</text>`
  })
  return figure(title, HEIGHT + lines.length * 18 + 8, grid.join('') + marks.join('') + drawn.join(''))
}
