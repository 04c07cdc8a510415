import { onStopSignals } from '../../src/core/signals.ts'

/* What was started is stopped also when the bench is interrupted, and temporary data removed. */

const INTERRUPTED = 130
const open = new Set<() => Promise<void>>()
let watching = false

function stopAll(): void {
  void Promise.allSettled([...open].map(close => close())).then(() => process.exit(INTERRUPTED))
}

/**
 * Has something closed when the bench is interrupted before it is closed in the usual way.
 * @returns closes it, once
 */
export function closeAtSignal(close: () => Promise<void>): () => Promise<void> {
  if (!watching) {
    onStopSignals(stopAll, () => process.exit(INTERRUPTED))
    watching = true
  }
  let closing: Promise<void> | undefined
  const closeOnce = (): Promise<void> => {
    open.delete(closeOnce)
    return (closing ??= close())
  }
  open.add(closeOnce)
  return closeOnce
}
