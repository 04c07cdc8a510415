import { drawAttachments, type Attachments } from './attachments.ts'
import { drawGraph, type Graph } from './graph.ts'
import { drawLikes, type Likes } from './favourites.ts'
import { drawNotices, type Notices } from './notifications.ts'
import { drawPeople, type People } from './people.ts'
import { drawPosts, type Posts } from './posts.ts'

/** How much is made up, and from what. */
export interface Size {
  readonly accounts: number
  readonly statuses: number
  /** On average. */
  readonly followsPerAccount: number
  readonly favourites: number
  readonly bookmarks: number
  readonly tags: number
  readonly days: number
  /** When it all ends. */
  readonly untilMs: number
  readonly seed: string
  /** The number of the first account. */
  readonly from: number
}

/** Everything that is made up, before it is written: relations and times, no texts. */
export interface World {
  readonly size: Size
  readonly people: People
  readonly graph: Graph
  readonly posts: Posts
  readonly attachments: Attachments
  readonly favourites: Likes
  readonly bookmarks: Likes
  readonly notices: Notices
}

const DAY_MS = 86_400_000

/** Makes up a world. The same size, seed and end give the same world. */
export function drawWorld(size: Size, step: (what: string) => void): World {
  const { seed, untilMs } = size
  step('people')
  const people = drawPeople({
    size: size.accounts,
    startMs: untilMs - size.days * DAY_MS,
    endMs: untilMs,
    seed,
    from: size.from,
  })
  step('follows')
  const graph = drawGraph(people, size.followsPerAccount, seed)
  step('statuses')
  const posts = drawPosts(people, graph, { size: size.statuses, tags: size.tags, seed })
  const attachments = drawAttachments(people, posts, seed)
  step('favourites')
  const likes = (wanted: number, purpose: string): Likes => drawLikes(people, graph, posts, { wanted, seed, purpose })
  const favourites = likes(size.favourites, 'favourites')
  const bookmarks = likes(size.bookmarks, 'bookmarks')
  step('notifications')
  return {
    size,
    people,
    graph,
    posts,
    attachments,
    favourites,
    bookmarks,
    notices: drawNotices(graph, posts, favourites),
  }
}
