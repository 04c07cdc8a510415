/**
 * Signals that come together count as one: a terminal or systemd signals every process, and npm passes on what it gets, so that a server under
 * `npm start` is told twice.
 */
const SAME_MS = 1_000

/**
 * Tells of the first SIGINT or SIGTERM, and by `again` of one that comes later, from somebody who does not want to wait. Returns what ends that:
 * the process then ends at a signal, as others do.
 */
export function hearSignals(first: (signal: NodeJS.Signals) => void, again: () => void): () => void {
  let heardAt: number | undefined
  const hear = (signal: NodeJS.Signals): void => {
    if (heardAt === undefined) {
      heardAt = performance.now()
      first(signal)
    } else if (performance.now() - heardAt > SAME_MS) again()
  }
  process.on('SIGINT', hear)
  process.on('SIGTERM', hear)
  return () => {
    process.off('SIGINT', hear)
    process.off('SIGTERM', hear)
  }
}
