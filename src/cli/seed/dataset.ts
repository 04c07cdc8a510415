import { generateAttachments, type Attachments } from './attachments.ts'
import { generateGraph, type Graph } from './graph.ts'
import { generateFavourites, type Favourites } from './favourites.ts'
import { generateNotifications, type Notifications } from './notifications.ts'
import { generatePeople, type People } from './people.ts'
import { generatePosts, type Posts } from './posts.ts'

/** The size and seed of the data. */
export interface Size {
  readonly accounts: number
  readonly statuses: number
  /** On average. */
  readonly followsPerAccount: number
  readonly favourites: number
  readonly bookmarks: number
  readonly tags: number
  readonly days: number
  /** The end of the generated time. */
  readonly untilMs: number
  readonly seed: string
  /** The number of the first account. */
  readonly from: number
}

/** All generated data before it is written: relations and times, no texts. */
export interface Dataset {
  readonly size: Size
  readonly people: People
  readonly graph: Graph
  readonly posts: Posts
  readonly attachments: Attachments
  readonly favourites: Favourites
  readonly bookmarks: Favourites
  readonly notifications: Notifications
}

const DAY_MS = 86_400_000

/** Generates a dataset. The same size, seed and end give the same dataset. */
export function generateDataset(size: Size, onStep: (what: string) => void): Dataset {
  const { seed, untilMs } = size
  onStep('people')
  const people = generatePeople({
    size: size.accounts,
    startMs: untilMs - size.days * DAY_MS,
    endMs: untilMs,
    seed,
    from: size.from,
  })
  onStep('follows')
  const graph = generateGraph(people, size.followsPerAccount, seed)
  onStep('statuses')
  const posts = generatePosts(people, graph, { size: size.statuses, tags: size.tags, seed })
  const attachments = generateAttachments(people, posts, seed)
  onStep('favourites')
  const makeFavourites = (count: number, purpose: string): Favourites =>
    generateFavourites(people, graph, posts, { count, seed, purpose })
  const favourites = makeFavourites(size.favourites, 'favourites')
  const bookmarks = makeFavourites(size.bookmarks, 'bookmarks')
  onStep('notifications')
  return {
    size,
    people,
    graph,
    posts,
    attachments,
    favourites,
    bookmarks,
    notifications: generateNotifications(graph, posts, favourites),
  }
}
