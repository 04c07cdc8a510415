import { isStatusEvent, type LoggedEvent } from '../../platform/events/index.ts'
import type { Relations } from '../../accounts/relationships/index.ts'
import type { Sources } from './candidates.ts'
import { Entries } from './entries.ts'
import type { FeedName } from './name.ts'
import { admitHome, admitList, createPost, type Post } from './rules.ts'

/** A feed in memory, made from the relationships of its owner. When these change it is replaced. */
export interface Feed {
  readonly name: FeedName
  readonly relations: Relations
  sources(): Sources
  readonly entries: Entries
  /** Whether the rules admit the post. @param now in milliseconds, for mutes that end */
  admits(post: Post, now?: number): boolean
  /**
   * Adds the post when the rules admit it and removes it otherwise.
   * @param now as for `admits`
   * @param arrived as in `Entries.add`
   */
  put(post: Post, now?: number, arrived?: bigint): void
}

/** The sources of a feed; undefined for a list that the owner does not have. */
export function sourcesOf(name: FeedName, relations: Relations): Sources | undefined {
  if (name.kind === 'home')
    return {
      accounts: [name.owner, ...relations.follows.keys()],
      tags: [...relations.tags.values()],
      tagNames: [...relations.tags.keys()],
    }
  const list = relations.lists.get(name.list)
  return list && { accounts: list.members, tags: [], tagNames: [] }
}

/** The number of accounts and tags among the sources of a feed. */
export function countSources({ name, relations }: Pick<Feed, 'name' | 'relations'>): number {
  if (name.kind === 'home') return 1 + relations.follows.size + relations.tags.size
  return relations.lists.get(name.list)?.members.size ?? 0
}

/**
 * Creates an empty feed.
 * @param from as for `Entries`
 */
export function createFeed(name: FeedName, relations: Relations, from: bigint): Feed {
  const list = name.kind === 'list' ? relations.lists.get(name.list) : undefined
  const entries = new Entries(relations.groupsBoosts, from)
  const admits = (post: Post, now = Date.now()): boolean =>
    name.kind === 'home'
      ? admitHome(post, relations, now) !== undefined
      : list !== undefined && admitList(post, list, relations, now)
  return {
    name,
    relations,
    sources: () => sourcesOf(name, relations) ?? NO_SOURCES,
    entries,
    admits,
    put(post, now, arrived) {
      const { number, shows } = post
      if (!admits(post, now)) entries.remove(number)
      else entries.add(number, shows, arrived)
    },
  }
}

const NO_SOURCES: Sources = { accounts: [], tags: [], tagNames: [] }

/** The post of an event about a status; undefined for other events. */
export const postOf = (event: LoggedEvent): Post | undefined =>
  isStatusEvent(event) ? createPost(event.status_id, event.actor_id, event.data) : undefined

/** Whether the event deletes a status; otherwise it creates or edits one. */
export const isDeletion = (event: LoggedEvent): boolean => event.kind === 'status.deleted'

/**
 * Applies an event about a status to the feed. Idempotent.
 * @param now as for `Feed.admits`
 */
export function follow(feed: Feed, event: LoggedEvent, post: Post, now?: number): void {
  if (isDeletion(event)) feed.entries.removeStatus(post.number)
  else feed.put(post, now)
}
