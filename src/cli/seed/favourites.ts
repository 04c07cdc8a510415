import { countTargets, pickFrom, type Graph } from './graph.ts'
import { Numbers, orderByTime } from './numbers.ts'
import type { People } from './people.ts'
import type { Posts } from './posts.ts'
import { createRandom } from './random.ts'

/** Favourites or bookmarks, ordered by time. */
export interface Favourites {
  readonly accounts: Int32Array
  readonly statuses: Int32Array
  readonly timesMs: Float64Array
}

const PRIVATE = 2
const DIRECT = 3
const NONE = -1
const REACH_EXPONENT = 0.7
const SIGMA = 1.2
const STRANGER_SHARE = 0.15
const MEAN_DELAY_MS = 5 * 3_600_000

/**
 * The number of favourites of each status: more if the author has more followers, and far more for
 * a few.
 */
function generateCounts(
  posts: Posts,
  graph: Graph,
  count: number,
  random: ReturnType<typeof createRandom>,
): Float64Array {
  const weights = Float64Array.from({ length: posts.size }, (_, index) => {
    if (posts.originals[index] !== NONE || posts.visibilities[index] === DIRECT) return 0
    return random.lognormal(1, SIGMA) * (1 + countTargets(graph.followers, posts.authors[index] ?? 0)) ** REACH_EXPONENT
  })
  const sum = weights.reduce((total, weight) => total + weight, 0)
  return sum === 0 ? weights : weights.map(weight => Math.floor((weight * count) / sum + random.next()))
}

/** Generates favourites: mostly by followers of the author, some time after the status. */
export function generateFavourites(
  people: People,
  graph: Graph,
  posts: Posts,
  options: { count: number; seed: string; purpose: string },
): Favourites {
  const random = createRandom(options.seed, options.purpose)
  const counts = generateCounts(posts, graph, options.count, random)
  const accounts = new Numbers(options.count)
  const statuses = new Numbers(options.count)
  const times = new Numbers(options.count)
  for (let index = 0; index < posts.size; index += 1) {
    const count = counts[index] ?? 0
    if (count === 0) continue
    const author = posts.authors[index] ?? 0
    const at = posts.timesMs[index] ?? 0
    const isPrivate = posts.visibilities[index] === PRIVATE
    const chosenAccounts = new Set<number>()
    for (let tries = count * 2; chosenAccounts.size < count && tries > 0; tries -= 1) {
      const isStranger = !isPrivate && random.chance(STRANGER_SHARE)
      const account = isStranger ? random.below(people.size) : pickFrom(graph.followers, author, random)
      if (account !== NONE && account !== author && !graph.avoids(account, author)) chosenAccounts.add(account)
    }
    for (const account of chosenAccounts) {
      const from = Math.max(at, people.createdMs[account] ?? 0)
      accounts.push(account)
      statuses.push(index)
      times.push(Math.floor(Math.min(from + random.exponential(MEAN_DELAY_MS), people.endMs - 1)))
    }
  }
  const order = orderByTime(times.values())
  return {
    accounts: order.map(index => accounts.at(index)),
    statuses: order.map(index => statuses.at(index)),
    timesMs: Float64Array.from(order, index => times.at(index)),
  }
}
