import { Presets, SingleBar } from 'cli-progress'
import type { CliContext } from './cli_context.ts'

/** The progress of a long command; shown on terminals only. */
export interface Progress {
  add(count: number): void
  end(): void
}

const NO_PROGRESS: Progress = { add: () => undefined, end: () => undefined }

/** Opens a progress bar on standard error if that is a terminal; without a total, a counter. */
export function openProgress(context: Pick<CliContext, 'showsProgress'>, unit: string, total?: number): Progress {
  if (!context.showsProgress) return NO_PROGRESS
  const format =
    total === undefined
      ? `{value} ${unit}, {duration_formatted}`
      : `{bar} {percentage}% | {value}/{total} ${unit} | {eta_formatted}`
  const bar = new SingleBar(
    { format, hideCursor: true, clearOnComplete: true, stopOnComplete: false },
    Presets.shades_classic,
  )
  bar.start(total ?? 0, 0)
  return { add: count => bar.increment(count), end: () => bar.stop() }
}
