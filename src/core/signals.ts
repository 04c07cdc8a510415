/**
 * Signals within this time count as one: a terminal or systemd signals every process, and npm
 * forwards its signal, so that a server under `npm start` receives it twice.
 */
const SAME_MS = 1_000

/**
 * Calls `first` for the first SIGINT or SIGTERM, and `second` for later ones, which demand an
 * immediate end. Returns a function that removes the handlers: a signal then ends the process as
 * usual.
 */
export function onStopSignals(first: (signal: NodeJS.Signals) => void, second: () => void): () => void {
  let firstAt: number | undefined
  const handle = (signal: NodeJS.Signals): void => {
    if (firstAt === undefined) {
      firstAt = performance.now()
      first(signal)
    } else if (performance.now() - firstAt > SAME_MS) second()
  }
  process.on('SIGINT', handle)
  process.on('SIGTERM', handle)
  return () => {
    process.off('SIGINT', handle)
    process.off('SIGTERM', handle)
  }
}
