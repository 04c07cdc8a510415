const [COMMA, LINE_FEED, RETURN, QUOTE] = [0x2c, 0x0a, 0x0d, 0x22]
/** Cells beyond this number in a row are left out, so that they take no memory. */
const MAX_COLUMNS = 100
/** What is longer is cut off. */
const MAX_CELL_LENGTH = 32_768

/**
 * The rows of comma-separated values (RFC 4180); blank lines are left out. Undefined when a quoted
 * cell does not end.
 * @param maxRows reading ends after one row more, because an array for each of the ten million
 *   lines of a file would exhaust the memory
 */
export function parseCsv(text: string, maxRows = Number.POSITIVE_INFINITY): string[][] | undefined {
  const rows: string[][] = []
  let row: string[] = []
  let isBlank = true
  const endRow = (): void => {
    if (isBlank) row.length = 0
    else {
      rows.push(row)
      row = []
      isBlank = true
    }
  }
  let at = text.startsWith('\ufeff') ? 1 : 0
  while (at < text.length && rows.length <= maxRows) {
    const isQuoted = text.charCodeAt(at) === QUOTE
    const end = isQuoted ? endOfQuoted(text, at + 1) : endOfCell(text, at)
    if (end < 0) return undefined
    if (row.length < MAX_COLUMNS) {
      const start = isQuoted ? at + 1 : at
      const cell = end === start ? '' : text.slice(start, Math.min(end, start + MAX_CELL_LENGTH)).trim()
      row.push(isQuoted ? cell.replaceAll('""', '"') : cell)
      isBlank &&= cell === ''
    }
    at = isQuoted ? endOfCell(text, end + 1) : end
    if (text.charCodeAt(at) === COMMA) {
      at++
      if (at === text.length && row.length < MAX_COLUMNS) row.push('')
      continue
    }
    while (isLineEnd(text.charCodeAt(at))) at++
    endRow()
  }
  endRow()
  return rows
}

const isLineEnd = (code: number): boolean => code === LINE_FEED || code === RETURN

/** The place of the comma or line end behind a cell, or of the end of the text. */
function endOfCell(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === COMMA || isLineEnd(code)) return at
  }
  return text.length
}

/** The place of the quotation mark that ends a cell; -1 when there is none. */
function endOfQuoted(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2)) if (text[at + 1] !== '"') return at
  return -1
}
