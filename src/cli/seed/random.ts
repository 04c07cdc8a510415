import { createHash } from 'node:crypto'
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'

/** Seeded random numbers: the same seed gives the same numbers on every machine. */
export interface Random {
  /** From 0 (inclusive) to 1 (exclusive). */
  next(): number
  /** A whole number from 0 (inclusive) to `end` (exclusive). */
  below(end: number): number
  chance(probability: number): boolean
  pick<T>(items: readonly T[]): T
  /** Log-normal with this mean: most are smaller, few are far larger. */
  lognormal(mean: number, sigma: number): number
  /** Exponential with this mean. */
  exponential(mean: number): number
}

/** A generator for one purpose: more draws for one do not affect the others. */
export function createRandom(seed: string, purpose: string): Random {
  const generator = xoroshiro128plus(createHash('sha256').update(`${purpose}:${seed}`).digest().readInt32BE())
  const next = (): number => uniformFloat64(generator)
  const below = (end: number): number => Math.floor(next() * end)
  return {
    next,
    below,
    chance: probability => next() < probability,
    pick(items) {
      const item = items[below(items.length)]
      if (item === undefined) throw new Error('no weight is positive')
      return item
    },
    lognormal(mean, sigma) {
      // Box-Muller transform; 1 - next() is never 0.
      const normal = Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
      return mean * Math.exp(sigma * normal - (sigma * sigma) / 2)
    },
    exponential: mean => -Math.log(1 - next()) * mean,
  }
}

/**
 * Picks an index with a probability proportional to its weight, in constant time (Vose's alias
 * method).
 */
export function createPicker(weights: Float64Array): (random: Random) => number {
  const size = weights.length
  const sum = weights.reduce((total, weight) => total + weight, 0)
  const share = weights.map(weight => (weight * size) / sum)
  const alias = new Int32Array(size)
  const small: number[] = []
  const large: number[] = []
  share.forEach((value, index) => (value < 1 ? small : large).push(index))
  while (small.length > 0 && large.length > 0) {
    const less = small.pop() ?? 0
    const more = large.pop() ?? 0
    alias[less] = more
    share[more] = (share[more] ?? 0) + (share[less] ?? 0) - 1
    const rest = (share[more] ?? 0) < 1 ? small : large
    rest.push(more)
  }
  // Rounding leaves some with a share of almost 1.
  for (const index of [...small, ...large]) share[index] = 1
  return random => {
    const index = random.below(size)
    return random.next() < (share[index] ?? 1) ? index : (alias[index] ?? index)
  }
}
