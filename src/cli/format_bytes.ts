const UNITS = ['Bytes', 'KB', 'MB', 'GB', 'TB'] as const
const STEP = 1024

/** Formats a number of bytes, such as `1.5 MB`. */
export function formatBytes(sizeBytes: number): string {
  let size = sizeBytes
  let unit = 0
  for (; size >= STEP && unit < UNITS.length - 1; unit += 1) size /= STEP
  return `${unit === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${UNITS[unit]}`
}
