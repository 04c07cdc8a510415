import { Numbers, orderByTime } from './numbers.ts'
import type { People } from './people.ts'
import { createPicker, createRandom, type Random } from './random.ts'

/** A sorted list of accounts for each account, all in two arrays. */
export interface Adjacency {
  /** Where an account's list begins; it ends where the next begins. */
  readonly starts: Int32Array
  readonly targets: Int32Array
}

/** Relations of one kind, ordered by time. */
export interface Relations {
  readonly sources: Int32Array
  readonly targets: Int32Array
  readonly times: Float64Array
}

export interface Graph {
  readonly follows: Relations & { readonly notifies: Uint8Array; readonly hidesReblogs: Uint8Array }
  readonly requests: Relations
  readonly blocks: Relations
  readonly mutes: Relations
  readonly followees: Adjacency
  readonly followers: Adjacency
  /** Whether one of the two blocks or mutes the other. */
  avoids(a: number, b: number): boolean
  followsAccount(source: number, target: number): boolean
}

/** The exponent of popularity by rank: a few accounts have most of the followers. */
const POPULARITY_EXPONENT = 0.9
const POPULARITY_SHIFT = 5
const FOLLOWING_SIGMA = 1
const RECIPROCITY = 0.3
const MAX_FOLLOWING = 7000
const REQUEST_SHARE = 0.05
const NOTIFY_SHARE = 0.005
const HIDE_REBLOGS_SHARE = 0.03
const BLOCKS_PER_ACCOUNT = 0.2
const MUTES_PER_ACCOUNT = 0.3

export const countTargets = ({ starts }: Adjacency, account: number): number =>
  (starts[account + 1] ?? 0) - (starts[account] ?? 0)

/** A random entry of an account's list, or -1 if it is empty. */
export function pickFrom({ starts, targets }: Adjacency, account: number, random: Random): number {
  const from = starts[account] ?? 0
  const count = (starts[account + 1] ?? 0) - from
  return count === 0 ? -1 : (targets[from + random.below(count)] ?? -1)
}

/** Builds lists from pairs; `sources` need not be sorted, `targets` are sorted if the pairs are. */
function buildAdjacency(size: number, sources: Int32Array, targets: Int32Array): Adjacency {
  const starts = new Int32Array(size + 1)
  for (const source of sources) starts[source + 1] = (starts[source + 1] ?? 0) + 1
  for (let index = 0; index < size; index += 1) starts[index + 1] = (starts[index + 1] ?? 0) + (starts[index] ?? 0)
  const next = starts.slice()
  const sortedTargets = new Int32Array(targets.length)
  sources.forEach((source, index) => {
    const position = next[source] ?? 0
    sortedTargets[position] = targets[index] ?? 0
    next[source] = position + 1
  })
  return { starts, targets: sortedTargets }
}

function contains({ starts, targets }: Adjacency, source: number, target: number): boolean {
  let low = starts[source] ?? 0
  let high = starts[source + 1] ?? 0
  while (low < high) {
    const middle = (low + high) >> 1
    const found = targets[middle] ?? 0
    if (found === target) return true
    if (found < target) low = middle + 1
    else high = middle
  }
  return false
}

/** Each pair is `source * size + target`; sorted, without duplicates. */
function generatePairs(people: People, followsPerAccount: number, random: Random): Float64Array {
  const { size } = people
  const order = Array.from({ length: size }, (_, index) => index)
  for (let index = size - 1; index > 0; index -= 1) {
    const other = random.below(index + 1)
    const [a = 0, b = 0] = [order[index], order[other]]
    order[index] = b
    order[other] = a
  }
  const pick = createPicker(Float64Array.from(order, rank => (rank + POPULARITY_SHIFT) ** -POPULARITY_EXPONENT))
  const limit = Math.min(MAX_FOLLOWING, Math.floor((size - 1) / 2))
  const keys = new Numbers(size * followsPerAccount)
  const mean = followsPerAccount / (1 + RECIPROCITY)
  for (let source = 0; source < size; source += 1) {
    const count = Math.min(limit, Math.round(random.lognormal(mean, FOLLOWING_SIGMA)))
    const chosen = new Set<number>()
    // With many follows among few accounts, most draws are duplicates; the loop gives up then.
    for (let tries = count * 4; chosen.size < count && tries > 0; tries -= 1) {
      const target = pick(random)
      if (target !== source) chosen.add(target)
    }
    for (const target of chosen) {
      keys.push(source * size + target)
      if (random.chance(RECIPROCITY)) keys.push(target * size + source)
    }
  }
  const sorted = keys.values().sort()
  return sorted.filter((key, index) => index === 0 || key !== sorted[index - 1])
}

/** Relations other than follows, between pairs that do not follow each other. */
function generateNonFollows(people: People, perAccount: number, follows: Adjacency, random: Random): Relations {
  const { size } = people
  const keys = new Set<number>()
  const count = size < 3 ? 0 : Math.round(size * perAccount)
  for (let tries = count * 2; keys.size < count && tries > 0; tries -= 1) {
    const source = random.below(size)
    const target = random.below(size)
    if (source === target || contains(follows, source, target) || contains(follows, target, source)) continue
    keys.add(source * size + target)
  }
  const pairs = Float64Array.from(keys)
  const times = pairs.map(key => timeOfPair(people, key, random))
  return sortRelations(size, pairs, times)
}

/** A time after both accounts were created. */
function timeOfPair(people: People, key: number, random: Random): number {
  const source = Math.floor(key / people.size)
  const from = Math.max(people.createdMs[source] ?? 0, people.createdMs[key % people.size] ?? 0)
  return Math.floor(from + random.next() ** 1.5 * (people.endMs - from))
}

function sortRelations(size: number, pairs: Float64Array, times: Float64Array): Relations {
  const order = orderByTime(times)
  return {
    sources: order.map(index => Math.floor((pairs[index] ?? 0) / size)),
    targets: order.map(index => (pairs[index] ?? 0) % size),
    times: Float64Array.from(order, index => times[index] ?? 0),
  }
}

/**
 * Generates follows, blocks and mutes: a few accounts have most of the followers, and a third of
 * the follows are mutual.
 */
export function generateGraph(people: People, followsPerAccount: number, seed: string): Graph {
  const { size } = people
  const random = createRandom(seed, 'graph')
  const generated = generatePairs(people, followsPerAccount, random)
  const isRequest = (key: number): boolean => people.locked[key % size] === 1 && random.chance(REQUEST_SHARE)
  const isRequested = Uint8Array.from(generated, key => (isRequest(key) ? 1 : 0))
  const pairs = generated.filter((_, index) => isRequested[index] === 0)
  const requested = generated.filter((_, index) => isRequested[index] === 1)
  const sources = Int32Array.from(pairs, key => Math.floor(key / size))
  const targets = Int32Array.from(pairs, key => key % size)
  const followees = buildAdjacency(size, sources, targets)
  const times = (keys: Float64Array): Float64Array => keys.map(key => timeOfPair(people, key, random))
  const follows = sortRelations(size, pairs, times(pairs))
  const requests = sortRelations(size, requested, times(requested))
  const blocks = generateNonFollows(people, BLOCKS_PER_ACCOUNT, followees, random)
  const mutes = generateNonFollows(people, MUTES_PER_ACCOUNT, followees, random)
  const avoidedPairs = new Set<number>()
  for (const { sources: from, targets: to } of [blocks, mutes]) {
    from.forEach((source, index) => avoidedPairs.add(source * size + (to[index] ?? 0)))
  }
  return {
    follows: {
      ...follows,
      notifies: Uint8Array.from(follows.sources, () => (random.chance(NOTIFY_SHARE) ? 1 : 0)),
      hidesReblogs: Uint8Array.from(follows.sources, () => (random.chance(HIDE_REBLOGS_SHARE) ? 1 : 0)),
    },
    requests,
    blocks,
    mutes,
    followees,
    followers: buildAdjacency(size, targets, sources),
    avoids: (a, b) => avoidedPairs.has(a * size + b) || avoidedPairs.has(b * size + a),
    followsAccount: (source, target) => contains(followees, source, target),
  }
}
