const UNITS = ['KB', 'MB', 'GB', 'TB', 'PB', 'EB'] as const
const STEP = 1024
const DIGITS = 3

/** Formats a number of bytes with at most three digits: `1.5 GB`. */
export function humanSize(bytes: number): string {
  if (Math.abs(bytes) < STEP) return bytes === 1 ? '1 Byte' : `${bytes} Bytes`
  let size = bytes / STEP
  let unit = 0
  // Rounding may reach the next unit: 1023.99 KB is 1 MB.
  while (Number(size.toPrecision(DIGITS + 1)) >= STEP && unit < UNITS.length - 1) {
    size /= STEP
    unit += 1
  }
  const rounded = size >= 1000 ? Math.round(size) : Number(size.toPrecision(DIGITS))
  return `${rounded} ${UNITS[unit]}`
}
