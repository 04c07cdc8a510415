import { onStopSignals } from '../../src/core/signals.ts'

/**
 * After an interrupt of the benchmark, started processes are stopped and temporary data is removed.
 */

const INTERRUPTED = 130
const open = new Set<() => Promise<void>>()
let watching = false

function stopAll(): void {
  void Promise.allSettled([...open].map(close => close())).then(() => process.exit(INTERRUPTED))
}

/**
 * Registers a clean-up for an interrupt.
 * @returns runs the clean-up, once
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
