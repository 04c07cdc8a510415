import type { Memory } from './server_process.ts'

const MB = 1024 * 1024
/** What caches, and connections to the database, may take beyond the second quarter of a run. */
const GROWTH_MB = 40

const meanMb = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1) / MB

/** The memory of the server over a run. */
export class MemoryTrend {
  readonly #samples: { readonly done: number; readonly memory: Memory }[] = []

  add(done: number, memory: Memory): void {
    this.#samples.push({ done, memory })
  }

  /** The mean growth from the second to the last quarter: before it, caches and code fill up. */
  #growthMb(figure: 'heapBytes' | 'rssBytes'): number {
    const last = this.#samples.at(-1)?.done ?? 0
    const between = (from: number, to: number): number[] =>
      this.#samples.filter(({ done }) => done > from * last && done <= to * last).map(({ memory }) => memory[figure])
    return meanMb(between(0.75, 1)) - meanMb(between(0.25, 0.5))
  }

  /** A line about the run. */
  describe(): string {
    const first = this.#samples[0]
    const last = this.#samples.at(-1)
    if (!first || !last) return 'no memory was measured'
    const figures = ({ done, memory }: { done: number; memory: Memory }): string =>
      `after ${done} requests heap ${meanMb([memory.heapBytes]).toFixed(0)} MB, ` +
      `resident ${meanMb([memory.rssBytes]).toFixed(0)} MB, ${memory.resources} resources`
    return (
      `server: ${figures(first)}; ${figures(last)}; from the second to the last quarter ` +
      `heap ${this.#growthMb('heapBytes').toFixed(1)} MB, resident ${this.#growthMb('rssBytes').toFixed(1)} MB`
    )
  }

  /** Whether the heap grows although the caches are full. Short runs do not tell. */
  grows(): boolean {
    return this.#samples.length >= ENOUGH && this.#growthMb('heapBytes') > GROWTH_MB
  }
}

const ENOUGH = 8
