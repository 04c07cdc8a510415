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

/** Hashes a text to 32 bits (FNV-1a). */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  return value >>> 0
}

const WARM_UP = 12

/**
 * A generator for one purpose: more draws for one do not affect the others. The algorithm is sfc32
 * of PractRand (https://pracrand.sourceforge.net/RNG_engines.txt).
 */
export function createRandom(seed: string, purpose: string): Random {
  let a = hash(`${purpose}:a:${seed}`)
  let b = hash(`${purpose}:b:${seed}`)
  let c = hash(`${purpose}:c:${seed}`)
  let counter = 1
  function next(): number {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    return (sum >>> 0) / 4294967296
  }
  for (let round = 0; round < WARM_UP; round += 1) next()
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
