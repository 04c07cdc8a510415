import { createPicker, createRandom, type Random } from '../../src/cli/seed/random.ts'

/**
 * A day of a community: who comes when, and what they do. Times are seconds since midnight. The
 * same seed makes the same day.
 */

export type ActionKind =
  'home' | 'notifications' | 'context' | 'account' | 'search' | 'favourite' | 'post' | 'reply' | 'picture' | 'subscribe'

export interface Action {
  readonly kind: ActionKind
  readonly at: number
  /** Whether it is the first of its kind in the visit. */
  readonly first: boolean
}

/** A person uses the app, which has the stream of the person open. */
export interface Visit {
  readonly person: number
  readonly from: number
  readonly until: number
  /** In the order of their times. */
  readonly actions: readonly Action[]
}

const HOUR_S = 3600
export const DAY_S = 24 * HOUR_S
/** The hour in which most people come. */
export const HOT_HOUR = 20
/** How many visits begin in each hour of the day, relative to each other. */
const HOURS = [6, 3, 2, 1, 1, 2, 6, 12, 16, 16, 15, 16, 20, 18, 15, 15, 16, 19, 23, 28, 32, 30, 22, 12]
/** The number of visits of a person; three on average. */
const VISITS = [1, 2, 2, 3, 3, 3, 4, 4, 5]
const VISIT_S = { least: 60, mean: 240, most: 1800 }
/** One in so many people has the app open for hours instead. */
const STREAMERS_EACH = 10
const STREAM_S = { least: HOUR_S, mean: 2 * HOUR_S, most: 8 * HOUR_S }
/** Between two actions of a person in a short visit and in a long one. */
const PAUSE_S = { short: 40, long: 300 }
/** Posts of a person on average. A few people write most of them. */
const POSTS = 3
const SKEW = 2.5
const REPLIES = 0.25
const PICTURES = 0.05
/** One in so many people has a phone that receives push messages. */
const PHONES_EACH = 3

const BROWSING: readonly (readonly [ActionKind, number])[] = [
  ['home', 40],
  ['context', 22],
  ['favourite', 14],
  ['notifications', 10],
  ['account', 10],
  ['search', 4],
]
const pickBrowsing = createPicker(Float64Array.from(BROWSING, ([, weight]) => weight))
const pickHour = createPicker(Float64Array.from(HOURS))

interface Draft {
  readonly person: number
  readonly from: number
  readonly until: number
  readonly actions: { kind: ActionKind; at: number }[]
}

function lengthOf(random: Random, { least, mean, most }: { least: number; mean: number; most: number }): number {
  return Math.min(most, least + random.exponential(mean))
}

function draftVisit(random: Random, person: number, streams: boolean): Draft {
  const from = (pickHour(random) + random.next()) * HOUR_S
  const until = from + lengthOf(random, streams ? STREAM_S : VISIT_S)
  const actions: Draft['actions'] = [
    { kind: 'home', at: from },
    { kind: 'notifications', at: from },
  ]
  const pause = streams ? PAUSE_S.long : PAUSE_S.short
  for (let at = from + random.exponential(pause); at < until; at += random.exponential(pause))
    actions.push({ kind: BROWSING[pickBrowsing(random)]?.[0] ?? 'home', at })
  return { person, from, until, actions }
}

function draftVisits(people: number, seed: string): Draft[][] {
  const random = createRandom(seed, 'visits')
  return Array.from({ length: people }, (_, person) => {
    const streams = random.chance(1 / STREAMERS_EACH)
    const short = Array.from({ length: random.pick(VISITS) - (streams ? 1 : 0) }, () =>
      draftVisit(random, person, false),
    )
    return streams ? [draftVisit(random, person, true), ...short] : short
  })
}

/** Gives posts to visits. */
function addPosts(visits: readonly (readonly Draft[])[], seed: string): void {
  const random = createRandom(seed, 'posts')
  for (let left = visits.length * POSTS; left > 0; left -= 1) {
    const author = Math.floor(visits.length * random.next() ** SKEW)
    const { from, until, actions } = random.pick(visits[author]?.length ? (visits[author] ?? []) : visits.flat())
    const drawn = random.next()
    const kind = drawn < REPLIES ? 'reply' : drawn < REPLIES + PICTURES ? 'picture' : 'post'
    actions.push({ kind, at: from + random.next() * (until - from) })
  }
}

/** A phone subscribes in the person's first visit. */
function addSubscriptions(visits: readonly (readonly Draft[])[], seed: string): void {
  const random = createRandom(seed, 'phones')
  for (const drafts of visits) {
    const [first] = drafts.toSorted((a, b) => a.from - b.from)
    if (first && random.chance(1 / PHONES_EACH)) first.actions.push({ kind: 'subscribe', at: first.from })
  }
}

function finish({ actions, ...visit }: Draft): Visit {
  const known = new Set<ActionKind>()
  const ordered = actions
    .toSorted((a, b) => a.at - b.at)
    .map(action => ({ ...action, first: known.size !== known.add(action.kind).size }))
  return { ...visit, actions: ordered }
}

/** All visits that begin on the day, in the order of their beginning. */
export function planDay(people: number, seed: string): Visit[] {
  const drafts = draftVisits(people, seed)
  addPosts(drafts, seed)
  addSubscriptions(drafts, seed)
  return drafts
    .flat()
    .map(finish)
    .sort((a, b) => a.from - b.from)
}

/** The visits of a part of the day; of visits that had begun before, the rest. */
export function partOf(visits: readonly Visit[], from: number, until: number): Visit[] {
  return visits
    .filter(visit => visit.from < until && visit.until > from)
    .map(visit => ({ ...visit, actions: visit.actions.filter(({ at }) => at >= from && at < until) }))
}
