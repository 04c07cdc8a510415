/**
 * The rows of comma-separated values (RFC 4180); blank lines are left out. Undefined when a quoted
 * cell does not end.
 */
export function parseCsv(text: string): string[][] | undefined {
  const rows: string[][] = []
  let row: string[] = []
  let at = text.startsWith('\ufeff') ? 1 : 0
  while (at < text.length) {
    let cell: string
    if (text[at] === '"') {
      const end = endOfQuoted(text, at + 1)
      if (end < 0) return undefined
      cell = text.slice(at + 1, end).replaceAll('""', '"')
      at = end + 1
      while (at < text.length && !',\r\n'.includes(text.charAt(at))) at++
    } else {
      const start = at
      while (at < text.length && !',\r\n'.includes(text.charAt(at))) at++
      cell = text.slice(start, at)
    }
    row.push(cell.trim())
    if (text[at] === ',') {
      at++
      if (at === text.length) row.push('')
      continue
    }
    while (text[at] === '\r' || text[at] === '\n') at++
    if (row.some(one => one !== '')) rows.push(row)
    row = []
  }
  if (row.some(one => one !== '')) rows.push(row)
  return rows
}

/** The place of the quotation mark that ends a cell; -1 when there is none. */
function endOfQuoted(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 2)) if (text[at + 1] !== '"') return at
  return -1
}
