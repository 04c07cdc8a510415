import { isStatusEvent, type LoggedEvent } from '../../platform/events/index.ts'
import type { Id } from '../../core/id.ts'
import type { Relations } from '../../accounts/relationships/index.ts'
import type { Sources } from './candidates.ts'
import { Entries } from './entries.ts'
import type { FeedName } from './name.ts'
import { admitHome, admitList, type Post } from './rules.ts'

/** The sources of a feed; the tags also by their identities. */
export type FeedSources = Sources & { readonly tagNames: Iterable<string> }

/** A feed in memory, made from the relationships of its owner. When these change it is replaced. */
export interface Feed {
  readonly name: FeedName
  sources(): FeedSources
  readonly entries: Entries
  /** Whether the rules admit the post now. */
  admits(post: Post): boolean
  /**
   * Adds the post when the rules admit it and removes it otherwise.
   * @param arrived as in `Entries.add`
   */
  put(post: Post, arrived?: Id | null): void
}

/** The sources of a feed; undefined for a list that the owner does not have. */
export function sourcesOf(name: FeedName, relations: Relations): FeedSources | undefined {
  if (name.kind === 'home')
    return {
      accounts: [name.owner, ...relations.follows.keys()],
      tags: [...relations.tags.values()],
      tagNames: [...relations.tags.keys()],
    }
  const list = relations.lists.get(name.list)
  return list && { accounts: list.members, tags: [], tagNames: [] }
}

/**
 * Creates an empty feed.
 * @param from as for `Entries`
 */
export function createFeed(name: FeedName, relations: Relations, from: bigint): Feed {
  const list = name.kind === 'list' ? relations.lists.get(name.list) : undefined
  const entries = new Entries(relations.groupsBoosts, from)
  const admits = (post: Post): boolean =>
    name.kind === 'home'
      ? admitHome(post, relations, Date.now()) !== undefined
      : list !== undefined && admitList(post, list, relations, Date.now())
  return {
    name,
    sources: () => sourcesOf(name, relations) ?? NO_SOURCES,
    entries,
    admits,
    put(post, arrived = null) {
      const id = BigInt(post.id)
      const { reblog_of_id: boosted } = post.facts
      if (!admits(post)) entries.remove(id)
      else entries.add(id, boosted === null ? id : BigInt(boosted), arrived === null ? id : BigInt(arrived))
    },
  }
}

const NO_SOURCES: FeedSources = { accounts: [], tags: [], tagNames: [] }

/** The post of an event about a status; undefined for other events. */
export const postOf = (event: LoggedEvent): Post | undefined =>
  isStatusEvent(event) ? { id: event.status_id, author: event.actor_id, facts: event.data } : undefined

/** Whether the event deletes a status; otherwise it creates or edits one. */
export const isDeletion = (event: LoggedEvent): boolean => event.kind === 'status.deleted'

/** Applies an event about a status to the feed. Idempotent. */
export function follow(feed: Feed, event: LoggedEvent, post: Post): void {
  if (isDeletion(event)) feed.entries.removeStatus(BigInt(post.id))
  else feed.put(post)
}
