import { isStatusEvent, type EventKind, type LoggedEvent } from '../../events/index.ts'

/**
 * Tags of cached responses. A tag is an id, a kind of event, or `tag:` and the name of a hashtag.
 */

/**
 * The changes by an event that anonymous viewers see: nothing, its entities and their lists, or
 * possibly anything (settings, roles, suspensions, emojis); such events are rare, and responses are
 * rebuilt quickly.
 */
type Effect = 'nothing' | 'named' | 'everything'

const EFFECTS: Readonly<Record<EventKind, Effect>> = {
  'account.changed': 'everything',
  'account.deleted': 'everything',
  'action.logged': 'nothing',
  'announcement.deleted': 'nothing',
  'announcement.published': 'nothing',
  'announcement.reaction': 'nothing',
  'appeal.created': 'nothing',
  'application.changed': 'everything',
  'caches.cleared': 'everything',
  'collection.changed': 'named',
  'conversation.changed': 'nothing',
  'domain_block.changed': 'everything',
  'emojis.changed': 'everything',
  'featured_tags.changed': 'named',
  'filters.changed': 'nothing',
  'instance.changed': 'everything',
  'interaction.changed': 'nothing',
  'ip_blocks.changed': 'everything',
  'list.changed': 'nothing',
  'notification.created': 'nothing',
  'notifications.changed': 'nothing',
  'notifications.merged': 'nothing',
  'preview_card.changed': 'named',
  'preview_card.shown': 'named',
  'relationship.changed': 'named',
  'remote_key.changed': 'nothing',
  'report.created': 'everything',
  'report.updated': 'everything',
  'role.changed': 'everything',
  'settings.changed': 'everything',
  'signing_key.changed': 'everything',
  'status.counted': 'named',
  'status.created': 'named',
  'status.deleted': 'named',
  'status.pinned': 'named',
  'status.updated': 'named',
  'suggestions.ranked': 'everything',
  'tag.changed': 'everything',
  'tag_follow.changed': 'nothing',
  'token.revoked': 'nothing',
  'trends.changed': 'named',
  'user.changed': 'everything',
}

const NONE: readonly string[] = []

/** The prefix of a hashtag's tag, which every status with that hashtag has. */
export const hashtagTag = (name: string): string => `tag:${name}`

/**
 * Counts of accounts elsewhere change all the time, and only where the account itself is shown. A
 * relay brings a new account each second: lists of accounts and servers show it when they have
 * expired. (One that signs up here is also a change of its user.)
 */
function effectOf(event: LoggedEvent): Effect | undefined {
  const change = event.kind === 'account.changed' ? event.data.change : undefined
  if (change === 'created') return 'nothing'
  return change === 'counts' ? 'named' : EFFECTS[event.kind]
}

/**
 * The topics that an event changes. A kind that is not known here, which a newer version logs, may
 * change anything.
 */
export function tagsOf(event: LoggedEvent): readonly string[] | 'everything' {
  const effect = effectOf(event)
  if (effect === 'nothing') return NONE
  if (effect !== 'named') return 'everything'
  const topics: string[] = [event.kind]
  for (const id of [event.actor_id, event.account_id, event.status_id, event.object_id])
    if (id !== null) topics.push(id)
  if (event.kind === 'preview_card.changed') {
    // Null: more statuses show it than are listed.
    if (event.data.status_ids === null) return 'everything'
    topics.push(...event.data.status_ids)
  } else if (isStatusEvent(event)) {
    for (const id of [event.data.in_reply_to_id, event.data.reblog_of_id]) if (id !== null) topics.push(id)
    for (const name of event.data.tags) topics.push(hashtagTag(name))
    if (event.kind === 'status.updated') for (const name of event.data.removed_tags ?? []) topics.push(hashtagTag(name))
  }
  return topics
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
