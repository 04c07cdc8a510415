import { isStatusEvent, type LoggedEvent } from '../../platform/events/index.ts'
import type { Id } from '../../core/id.ts'
import type { Relations } from '../../accounts/relationships/index.ts'
import type { Sources } from './candidates.ts'
import { Entries } from './entries.ts'
import type { FeedName } from './name.ts'
import { admitHome, admitList, type Post } from './rules.ts'

/** A feed in memory, made from the relationships of its owner. When these change it is replaced. */
export interface Feed {
  readonly name: FeedName
  /** The sources of its statuses; the tags also by their identities. */
  sources(): Sources & { readonly tagNames: Iterable<string> }
  readonly entries: Entries
  /** Whether the rules admit the post now. */
  admits(post: Post): boolean
  /**
   * Adds the post when the rules admit it and removes it otherwise.
   * @param arrived as in `Entries.add`
   */
  put(post: Post, arrived?: Id | null): void
}

/** Creates an empty feed; undefined for a list that the owner does not have. */
export function createFeed(name: FeedName, relations: Relations): Feed | undefined {
  const list = name.kind === 'list' ? relations.lists.get(name.list) : undefined
  if (name.kind === 'list' && !list) return undefined
  const entries = new Entries(relations.groupsBoosts)
  const admits = (post: Post): boolean =>
    list ? admitList(post, list, relations, Date.now()) : admitHome(post, relations, Date.now()) !== undefined
  return {
    name,
    sources: () =>
      list
        ? { accounts: list.members, tags: [], tagNames: [] }
        : {
            accounts: [name.owner, ...relations.follows.keys()],
            tags: relations.tags.values(),
            tagNames: relations.tags.keys(),
          },
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
