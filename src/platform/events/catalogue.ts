import type { Id } from '../../core/id.ts'
import type { StatusFacts, UpdatedStatusFacts } from './status_facts.ts'

/*
 * Every kind of event that the statements in sql/ insert. test/platform/events/catalogue.test.ts
 * compares this with all of them: kinds, values of `data.change`, and columns of ids.
 */

export type IdColumn = 'actor_id' | 'account_id' | 'status_id' | 'object_id'

interface Declaration {
  readonly meaning: string
  /** Columns that each event of the kind sets. */
  readonly ids?: readonly IdColumn[]
  /** Columns that only some events of the kind set. */
  readonly optionalIds?: readonly IdColumn[]
  /** The values of `data.change`, for kinds with several changes. */
  readonly changes?: readonly string[]
  /** The type of `data`, when it is not `change` alone. */
  readonly data?: Shape<object>
}

/** Carries a TypeScript type; never has a member. */
interface Shape<T> {
  readonly type?: T
}

const shape = <T extends object>(): Shape<T> => ({})

export const EVENTS = {
  'account.changed': {
    meaning: 'What is shown of an account has changed, or who may see it.',
    ids: ['account_id'],
    optionalIds: ['actor_id'],
    changes: [
      'created',
      'profile',
      'verified',
      'role',
      'counts',
      'operator',
      'aliases',
      'moved',
      'suspended',
      'unsuspended',
      'silenced',
      'unsilenced',
      'sensitized',
      'unsensitized',
      'deletion',
      'deleted',
    ],
  },
  'account.deleted': { meaning: 'Nothing is left of an account but, maybe, its name.', ids: ['account_id'] },
  'action.logged': {
    meaning: 'A moderator, or the operator (null), did something that the audit log records.',
    optionalIds: ['actor_id', 'object_id'],
    data: shape<{ readonly action: string; readonly target_type: string }>(),
  },
  'announcement.deleted': { meaning: 'An announcement is no longer shown.', ids: ['object_id'] },
  'announcement.published': {
    meaning: 'An announcement was published, or a published one edited.',
    ids: ['object_id'],
  },
  'announcement.reaction': {
    meaning: 'An announcement got or lost a reaction.',
    ids: ['actor_id', 'object_id'],
    data: shape<{
      readonly name: string
      readonly count: number
      /** Of a custom emoji. */
      readonly image: { readonly key: string; readonly static_key: string } | null
    }>(),
  },
  'appeal.created': { meaning: 'The actor appealed against a strike.', ids: ['actor_id', 'object_id'] },
  'application.changed': {
    meaning: 'The name or the website of an application that the actor developed has changed, or it was removed.',
    ids: ['actor_id', 'object_id'],
  },
  'caches.cleared': {
    meaning:
      'An operator wants all servers to forget what they hold in memory, or their feeds, or those of the account.',
    optionalIds: ['account_id'],
    changes: ['all', 'feeds'],
  },
  'collection.changed': {
    meaning: 'A collection of accounts has changed.',
    ids: ['account_id', 'object_id'],
    changes: ['created', 'updated', 'deleted', 'items'],
  },
  'conversation.changed': {
    meaning: 'A direct conversation of the account got or lost a status, or was read or removed.',
    ids: ['account_id', 'object_id'],
    optionalIds: ['actor_id', 'status_id'],
  },
  'domain_block.changed': {
    meaning: 'The account blocks a domain, or no longer.',
    ids: ['account_id'],
    data: shape<{ readonly domain: string }>(),
  },
  'emojis.changed': { meaning: 'Custom emojis have changed.', optionalIds: ['object_id'] },
  'featured_tags.changed': {
    meaning: 'The account shows the hashtag `object_id` on its profile, or no longer.',
    ids: ['account_id', 'object_id'],
  },
  'filters.changed': { meaning: 'The filters of the account have changed.', ids: ['account_id'] },
  'instance.changed': {
    meaning: 'What the server says about itself has changed, beside its settings.',
    optionalIds: ['actor_id', 'object_id'],
    changes: ['domain_allows', 'domain_blocks', 'pictures', 'rules', 'terms'],
  },
  'interaction.changed': {
    meaning: 'The actor bookmarked the status, muted the conversation `object_id`, or undid that.',
    ids: ['actor_id'],
    optionalIds: ['status_id', 'object_id'],
    changes: ['bookmark', 'mute'],
  },
  'ip_blocks.changed': { meaning: 'A rule about a network was added or removed.', ids: ['object_id'] },
  'list.changed': {
    meaning: 'A list of the account has changed.',
    ids: ['account_id', 'object_id'],
    changes: ['created', 'updated', 'deleted', 'members'],
  },
  'notification.created': {
    meaning: 'The account got a notification by what the actor did.',
    ids: ['account_id', 'actor_id', 'object_id'],
    optionalIds: ['status_id'],
    data: shape<{ readonly type: string; readonly filtered: boolean; readonly group_key: string }>(),
  },
  'notifications.changed': {
    meaning:
      'Notifications of the account were removed, by itself or because what the actor did was undone, or are listed again.',
    ids: ['account_id'],
    optionalIds: ['actor_id', 'status_id'],
    changes: ['dismissed', 'withdrawn', 'restored'],
  },
  'notifications.merged': { meaning: 'All accepted notification requests have been merged.', ids: ['account_id'] },
  'preview_card.changed': {
    meaning: 'A preview was fetched anew or lost its image; null: more statuses show it than are listed.',
    ids: ['object_id'],
    data: shape<{ readonly status_ids: readonly Id[] | null }>(),
  },
  'preview_card.shown': {
    meaning: 'The status shows another preview.',
    ids: ['status_id'],
    optionalIds: ['object_id'],
  },
  'relationship.changed': {
    meaning: 'The relation of the actor to the account has changed.',
    ids: ['actor_id', 'account_id'],
    changes: [
      'follow',
      'follow_options',
      'unfollow',
      'request',
      'unrequest',
      'block',
      'unblock',
      'mute',
      'unmute',
      'note',
      'endorse',
      'unendorse',
    ],
  },
  'remote_key.changed': {
    meaning: "The keys of another server's actor have changed.",
    data: shape<{ readonly owner: string }>(),
  },
  'report.created': { meaning: 'The actor reported the account.', ids: ['actor_id', 'account_id', 'object_id'] },
  'report.updated': {
    meaning: 'A moderator resolved a report of the account.',
    ids: ['account_id', 'object_id'],
    optionalIds: ['actor_id'],
  },
  'role.changed': { meaning: 'A role was added, changed or removed.', optionalIds: ['object_id'] },
  'settings.changed': {
    meaning: 'Settings have changed.',
    optionalIds: ['actor_id'],
    data: shape<{ readonly keys: readonly string[] }>(),
  },
  'signing_key.changed': { meaning: 'A local account has a new key pair for its signatures.', ids: ['account_id'] },
  'status.counted': {
    meaning: 'What is counted of a status, its poll, its files or its row have changed.',
    ids: ['status_id'],
    optionalIds: ['actor_id', 'object_id'],
  },
  'status.created': {
    meaning: 'The actor posted or boosted.',
    ids: ['actor_id', 'status_id'],
    data: shape<StatusFacts>(),
  },
  'status.deleted': {
    meaning: 'A status of the actor was deleted.',
    ids: ['actor_id', 'status_id'],
    data: shape<StatusFacts>(),
  },
  'status.pinned': {
    meaning: 'The actor pinned a status to the profile, or no longer.',
    ids: ['actor_id', 'status_id'],
  },
  'status.updated': {
    meaning: 'A status of the actor was edited, or may enter feeds that it could not.',
    ids: ['actor_id', 'status_id'],
    data: shape<UpdatedStatusFacts>(),
  },
  'suggestions.ranked': { meaning: 'The accounts to suggest to everybody have been found anew.' },
  'tag.changed': {
    meaning: 'A moderator reviewed a hashtag: its spelling, or where it may be shown and used.',
    ids: ['object_id'],
    optionalIds: ['actor_id'],
    data: shape<{ readonly name: string }>(),
  },
  'tag_follow.changed': {
    meaning: 'The account follows a hashtag, or no longer.',
    ids: ['account_id', 'object_id'],
    data: shape<{ readonly name: string; readonly following: boolean }>(),
  },
  'token.revoked': {
    meaning: 'The access token `object_id` is worth nothing any more, or, without one, all of the account.',
    optionalIds: ['account_id', 'object_id'],
  },
  'trends.changed': {
    meaning: 'Uses of hashtags and links were counted, or a moderator decided what may trend.',
    optionalIds: ['actor_id'],
  },
  'user.changed': {
    meaning: 'The login or the preferences of the account have changed.',
    ids: ['account_id'],
    optionalIds: ['actor_id'],
    changes: [
      'created',
      'confirmed',
      'approved',
      'preferences',
      'password',
      'second_factor',
      'role',
      'operator',
      'disabled',
      'enabled',
      'deletion',
      'deleted',
    ],
  },
} as const satisfies Readonly<Record<string, Declaration>>

export type EventKind = keyof typeof EVENTS

type Always<D> = D extends { readonly ids: readonly (infer C)[] } ? C : never
type Sometimes<D> = D extends { readonly optionalIds: readonly (infer C)[] } ? C : never

type Ids<D> = {
  readonly [C in IdColumn]: C extends Always<D> ? Id : C extends Sometimes<D> ? Id | null : null
}

type Data<D> = D extends { readonly changes: readonly (infer C)[] }
  ? { readonly change: C }
  : D extends { readonly data: Shape<infer T> }
    ? T
    : Readonly<Record<string, never>>

type EventTypes = {
  readonly [K in EventKind]: {
    readonly txid: string
    readonly id: string
    readonly kind: K
    readonly data: Data<(typeof EVENTS)[K]>
  } & Ids<(typeof EVENTS)[K]>
}

/** An event of this kind, or of one of these kinds. */
export type EventOf<K extends EventKind> = EventTypes[K]

/**
 * A row of the event log, as `event_json` in SQL makes it. A server of a newer version may log
 * kinds that are not known here: they are delivered too, but no handler matches them.
 */
export type LoggedEvent = EventOf<EventKind>

/** The values of `data.change` of a kind. */
export type ChangeOf<K extends EventKind> = EventOf<K> extends { data: { change: infer C } } ? C : never

/** An event with the facts of a status: it was created, edited or deleted. */
export type StatusEvent = EventOf<'status.created' | 'status.updated' | 'status.deleted'>

export const isStatusEvent = (event: LoggedEvent): event is StatusEvent =>
  event.kind === 'status.created' || event.kind === 'status.updated' || event.kind === 'status.deleted'
