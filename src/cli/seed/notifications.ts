import type { Graph } from './graph.ts'
import type { Favourites } from './favourites.ts'
import { Numbers, orderByTime } from './numbers.ts'
import type { Posts } from './posts.ts'

/** In the order of their numbers in `Notifications.types`. */
export const NOTIFICATION_TYPES = ['mention', 'reblog', 'favourite', 'follow', 'follow_request', 'status'] as const
export const [MENTION, FAVOURITE, FOLLOW, FOLLOW_REQUEST] = [0, 2, 3, 4] as const
const [REBLOG, STATUS] = [1, 5] as const

/** Notifications, ordered by time. */
export interface Notifications {
  readonly size: number
  readonly types: Uint8Array
  readonly recipients: Int32Array
  readonly senders: Int32Array
  /** The status's index, or -1. */
  readonly statuses: Int32Array
  /** The index of the mention, boost, favourite, follow or request among its kind. */
  readonly causes: Int32Array
  readonly timesMs: Float64Array
}

const NONE = -1
const DIRECT = 3

/** Generates the notifications that the server would have created. */
export function generateNotifications(graph: Graph, posts: Posts, favourites: Favourites): Notifications {
  const columns = [0, 1, 2, 3, 4, 5].map(() => new Numbers(favourites.timesMs.length + posts.size))
  const [types, recipients, senders, statuses, causes, times] = columns
  const add = (...values: readonly [number, number, number, number, number, number]): void => {
    const [, recipient, sender] = values
    if (recipient !== sender) values.forEach((value, column) => columns[column]?.push(value))
  }
  const subscribers = new Map<number, number[]>()
  const { follows, requests } = graph
  follows.sources.forEach((source, index) => {
    const target = follows.targets[index] ?? 0
    add(FOLLOW, target, source, NONE, index, follows.times[index] ?? 0)
    if (follows.notifies[index] === 1) subscribers.set(target, [...(subscribers.get(target) ?? []), index])
  })
  requests.sources.forEach((source, index) =>
    add(FOLLOW_REQUEST, requests.targets[index] ?? 0, source, NONE, index, requests.times[index] ?? 0),
  )
  for (let index = 0; index < posts.size; index += 1) {
    const author = posts.authors[index] ?? 0
    const at = posts.timesMs[index] ?? 0
    const original = posts.originals[index] ?? NONE
    if (original !== NONE) {
      add(REBLOG, posts.authors[original] ?? 0, author, original, index, at)
      continue
    }
    for (
      let position = posts.mentionStarts[index] ?? 0;
      position < (posts.mentionStarts[index + 1] ?? 0);
      position += 1
    ) {
      add(MENTION, posts.mentioned[position] ?? 0, author, index, position, at)
    }
    const parent = posts.parents[index] ?? NONE
    const notifiesSubscribers =
      posts.visibilities[index] !== DIRECT && (parent === NONE || posts.authors[parent] === author)
    for (const follow of notifiesSubscribers ? (subscribers.get(author) ?? []) : []) {
      if ((follows.times[follow] ?? 0) < at) add(STATUS, follows.sources[follow] ?? 0, author, index, index, at)
    }
  }
  favourites.accounts.forEach((account, index) => {
    const status = favourites.statuses[index] ?? 0
    add(FAVOURITE, posts.authors[status] ?? 0, account, status, index, favourites.timesMs[index] ?? 0)
  })
  const order = orderByTime(times?.values() ?? new Float64Array())
  const sorted = (column: Numbers | undefined): Int32Array => order.map(index => column?.at(index) ?? 0)
  return {
    size: order.length,
    types: Uint8Array.from(order, index => types?.at(index) ?? 0),
    recipients: sorted(recipients),
    senders: sorted(senders),
    statuses: sorted(statuses),
    causes: sorted(causes),
    timesMs: Float64Array.from(order, index => times?.at(index) ?? 0),
  }
}
