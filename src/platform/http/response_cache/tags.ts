import type { LoggedEvent } from '../../database/index.ts'

/**
 * Tags of cached responses. A tag is an id, a kind of event, or `tag:` and the name of a hashtag.
 */

/** Events that change nothing for anonymous viewers. */
const PRIVATE = new Set([
  'announcement.deleted',
  'announcement.published',
  'announcement.reaction',
  'conversation.changed',
  'filters.changed',
  'interaction.changed',
  'list.changed',
  'notification.created',
  'notifications.merged',
  'tag_follow.changed',
  'token.revoked',
])

/** Events that change the entities they name, and lists that declare their kind. */
const NARROW = new Set([
  'account.counted',
  'collection.changed',
  'preview_card.changed',
  'preview_card.shown',
  'relationship.changed',
  'status.counted',
  'status.created',
  'status.deleted',
  'status.pinned',
  'status.updated',
  'trends.changed',
])

const NONE: readonly string[] = []

/** The prefix of a hashtag's tag, which every status with that hashtag has. */
export const hashtagTag = (name: string): string => `tag:${name}`

/**
 * The tags that an event invalidates. Unknown kinds invalidate everything (settings, roles,
 * suspensions, emojis, and any future kind): they are rare, and a response is built again quickly.
 */
export function tagsOf(event: LoggedEvent): readonly string[] | 'everything' {
  if (PRIVATE.has(event.kind)) return NONE
  const { actor_id, account_id, status_id, object_id, data } = event
  const statuses = data['status_ids']
  // Null: too many to list.
  if (!NARROW.has(event.kind) || statuses === null) return 'everything'
  const tags = [event.kind]
  const listed: readonly unknown[] = Array.isArray(statuses) ? statuses : []
  for (const id of [
    actor_id,
    account_id,
    status_id,
    object_id,
    data['in_reply_to_id'],
    data['reblog_of_id'],
    ...listed,
  ]) {
    if (typeof id === 'string') tags.push(id)
  }
  const hashtags = data['tags']
  if (Array.isArray(hashtags)) for (const name of hashtags) if (typeof name === 'string') tags.push(hashtagTag(name))
  return tags
}

const BEFORE_ID = '"id":"'

/** The ids of all entities in a response: it changes whenever one of them does. */
export function idsIn(text: string): Set<string> {
  const ids = new Set<string>()
  for (let at = text.indexOf(BEFORE_ID); at >= 0; at = text.indexOf(BEFORE_ID, at)) {
    at += BEFORE_ID.length
    const end = text.indexOf('"', at)
    if (end < 0) break
    ids.add(text.slice(at, end))
  }
  return ids
}
