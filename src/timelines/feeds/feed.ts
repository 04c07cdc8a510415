import type { LoggedEvent } from '../../platform/events/index.ts'
import type { Id } from '../../core/id.ts'
import type { Relations } from '../../accounts/relationships/index.ts'
import { factsOf } from '../../statuses/index.ts'
import type { Sources } from './candidates.ts'
import { Entries } from './entries.ts'
import type { FeedName } from './name.ts'
import { admitHome, admitList, type Post } from './rules.ts'

/** A feed in memory, as the relations of its owner make it. Other relations make another feed. */
export interface Feed {
  readonly name: FeedName
  /** Where its statuses come from; the tags also by their identities. */
  sources(): Sources & { readonly tagNames: Iterable<string> }
  readonly entries: Entries
  /** Whether the rules take the post now. */
  admits(post: Post): boolean
  /** Takes the post in where the rules want it, takes it out where they do not. @param arrived as in `Entries.add` */
  put(post: Post, arrived?: Id | null): void
}

/** An empty feed, or undefined for a list that the owner of the relations does not have. */
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

/** The post that an event is about, or undefined when it is about something else. */
export function postOf(event: LoggedEvent): Post | undefined {
  const facts = factsOf(event)
  if (!facts || event.status_id === null || event.actor_id === null) return undefined
  return { id: event.status_id, author: event.actor_id, facts }
}

/** Whether the event says that a status is gone; otherwise it came or was edited. */
export const isDeletion = (event: LoggedEvent): boolean => event.kind === 'status.deleted'

/** Lets the feed follow an event about a status. Doing it again changes nothing. */
export function follow(feed: Feed, event: LoggedEvent, post: Post): void {
  if (isDeletion(event)) feed.entries.removeStatus(BigInt(post.id))
  else feed.put(post)
}
