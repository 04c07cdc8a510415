import { c, query } from '../platform/database/index.ts'
import type { Json } from '../platform/http/index.ts'
import type { Id } from '../core/id.ts'
import type { Viewer } from '../core/viewer.ts'
import { eventCache, type EventCache } from '../platform/cache/event_cache.ts'
import { weigh } from '../platform/cache/weigh.ts'
import { perServer, type Services } from '../platform/services.ts'
import { emojiKey, type EmojiRow } from './emoji.ts'
import { approvalFor, includesGroup, NO_FOLLOWS, type Follows } from './feature_approval.ts'
import { followersAmong } from './followers_among.ts'
import { fillFragment, makeFragment, shortcodesOf, withNewStatus, type AccountFragment } from './fragment.ts'
import type { StoredField, StoredImage } from './profile.ts'
import { relationships } from './relationships/index.ts'

const findAccounts = query(
  'accounts/fragments',
  { ids: c.ids },
  {
    id: c.id,
    username: c.text,
    domain: c.nullable(c.text),
    display_name: c.text,
    note: c.text,
    note_html: c.text,
    fields: c.json<StoredField[]>(),
    avatar: c.nullable(c.json<StoredImage>()),
    avatar_description: c.text,
    header: c.nullable(c.json<StoredImage>()),
    header_description: c.text,
    actor_type: c.text,
    locked: c.boolean,
    discoverable: c.nullable(c.boolean),
    indexable: c.boolean,
    hide_collections: c.nullable(c.boolean),
    show_media: c.boolean,
    show_media_replies: c.boolean,
    show_featured: c.boolean,
    feature_automatic: c.nullable(c.texts),
    feature_manual: c.nullable(c.texts),
    handle_invalid: c.boolean,
    uri: c.text,
    url: c.nullable(c.text),
    moved_to_account_id: c.nullable(c.id),
    pending: c.boolean,
    memorial: c.boolean,
    suspended: c.boolean,
    silenced: c.boolean,
    being_deleted: c.boolean,
    created_at: c.timestamp,
    followers_count: c.integer,
    following_count: c.integer,
    statuses_count: c.integer,
    last_status_at: c.nullable(c.date),
    last_status_us: c.bigint,
    noindex: c.nullable(c.boolean),
    email_subscriptions: c.boolean,
    role_id: c.nullable(c.id),
    role_name: c.nullable(c.text),
    role_color: c.nullable(c.text),
  },
  { pipelined: true },
)

const findEmojis = query(
  'accounts/emojis',
  { shortcodes: c.texts },
  {
    shortcode: c.text,
    domain: c.nullable(c.text),
    image: c.json<EmojiRow['image']>(),
    visible_in_picker: c.boolean,
  },
)

const followedOf = query('accounts/followed_of', { viewer: c.id, ids: c.ids }, { id: c.id }, { pipelined: true })

/** The objects around the entity of an account, and now and then another entity. */
const MADE_BYTES = 250

/** Rendered accounts, cached until an event changes one. */
export const accountFragments: (services: Services) => EventCache<AccountFragment> = perServer(services => {
  const { database, config, settings, storage } = services

  async function load(ids: Id[]): Promise<Map<Id, AccountFragment>> {
    const rows = await database.run(findAccounts, { ids })
    const shortcodes = [...new Set(rows.flatMap(shortcodesOf))]
    const emojis = new Map<string, EmojiRow>()
    if (shortcodes.length > 0) {
      for (const row of await database.run(findEmojis, { shortcodes }))
        emojis.set(emojiKey(row.shortcode, row.domain), row)
    }
    const options = {
      publicUrl: config.publicUrl,
      noindex: settings.get('noindex'),
      emailSubscriptions: settings.get('email_subscriptions'),
      mediaUrl: (key: string) => storage.url(key),
    }
    return new Map(rows.map(row => [row.id, makeFragment(row, emojis, options)]))
  }

  const fragments = eventCache(services, {
    name: 'accounts',
    weigh: fragment => weigh(fragment) + MADE_BYTES,
    load,
    drops: {
      'account.changed': event => [event.account_id],
      'account.deleted': event => [event.account_id],
      'user.changed': event => [event.account_id],
      // A boost, which does not say the counts.
      'status.created': event => [event.actor_id],
      'status.deleted': event => [event.actor_id],
      // Blocks, mutes and notes do not show in entities; only follows are counted.
      'relationship.changed': ({ actor_id: actor, account_id: account, data }) =>
        data.change === 'follow' || data.change === 'unfollow' ? [actor, account] : [],
      'role.changed': 'all',
      'emojis.changed': 'all',
    },
    updates: {
      'status.created': ({ actor_id: id, data: { author_counts: counts } }) =>
        counts
          ? { id, change: fragment => withNewStatus(fragment, counts.statuses, counts.last_status_us) }
          : undefined,
    },
  })
  const subscription = settings.changed$.subscribe(keys => {
    if (keys.has('noindex') || keys.has('email_subscriptions')) fragments.clear()
  })
  services.onClose(() => subscription.unsubscribe())
  return fragments
})

const NONE: ReadonlySet<Id> = new Set()
const NOBODY: ReadonlyMap<Id, AccountFragment> = new Map()

/** Whether a viewer follows an account; undefined when that is not known. */
type KnownFollows = Pick<ReadonlyMap<Id, boolean>, 'get'>
const NOT_KNOWN: KnownFollows = new Map()

/** Whether the entity depends on whether the viewer follows the account. */
export const dependsOnFollow = ({ featurePolicy }: AccountFragment): boolean =>
  includesGroup(featurePolicy, 'followers')

/**
 * The entities of these accounts as the viewer sees them (null: anonymous); accounts that do not
 * exist are missing. Does not check whether the viewer may know of an account: the query that found
 * the id does.
 * @param follows whether the viewer follows an account, as far as it is known already
 */
export async function renderAccounts(
  services: Services,
  viewer: Viewer | null,
  ids: readonly Id[],
  follows: KnownFollows = NOT_KNOWN,
): Promise<Map<Id, Json>> {
  const fragments = accountFragments(services)
  const found = await fragments.get(ids)
  const targets: Id[] = []
  for (const { movedTo } of found.values()) if (movedTo !== null) targets.push(movedTo)
  const moved = targets.length > 0 ? await fragments.get(targets) : NOBODY
  const known = await followsOf(services, viewer, [found, moved], follows)
  const approve = (fragment: AccountFragment) => approvalFor(fragment, viewer, known)

  const fill = (fragment: AccountFragment): Json => {
    const target = fragment.movedTo === null ? undefined : moved.get(fragment.movedTo)
    const nested = target && (target.suspended || fragment.suspended ? null : fillFragment(target, approve(target)))
    return fillFragment(fragment, approve(fragment), nested)
  }
  const rendered = new Map<Id, Json>()
  for (const [id, fragment] of found) rendered.set(id, fill(fragment))
  return rendered
}

/** The follows on which the rendering of these accounts depends. */
async function followsOf(
  services: Services,
  viewer: Viewer | null,
  rendered: readonly ReadonlyMap<Id, AccountFragment>[],
  follows: KnownFollows,
): Promise<Follows> {
  if (!viewer) return NO_FOLLOWS
  const waiting: Id[] = []
  const asking: Id[] = []
  for (const fragments of rendered)
    for (const fragment of fragments.values()) {
      if (dependsOnFollow(fragment)) waiting.push(fragment.id)
      if (includesGroup(fragment.featurePolicy, 'following')) asking.push(fragment.id)
    }
  if (waiting.length + asking.length === 0) return NO_FOLLOWS
  const followed = waiting.length === 0 ? NONE : await followedBy(services, viewer, waiting, follows)
  return { followed, followers: await followersAmong(services.database, viewer.id, asking) }
}

/**
 * The followed ones of accounts whose rendering depends on it. Needs a query only for those that
 * the caller does not know about, of a viewer whose relationships are not in memory.
 */
async function followedBy(
  services: Services,
  viewer: Viewer,
  accounts: readonly Id[],
  follows: KnownFollows,
): Promise<ReadonlySet<Id>> {
  const relations = relationships(services).peek(viewer.id)
  const followed = new Set<Id>()
  const unknown: Id[] = []
  for (const id of accounts) {
    const known = follows.get(id) ?? relations?.follows.has(id)
    if (known === true) followed.add(id)
    else if (known === undefined) unknown.push(id)
  }
  if (unknown.length === 0) return followed
  for (const { id } of await services.database.run(followedOf, { viewer: viewer.id, ids: unknown })) followed.add(id)
  return followed
}

/** A single entity of `renderAccounts`; undefined if the account does not exist. */
export async function renderAccount(services: Services, viewer: Viewer | null, id: Id): Promise<Json | undefined> {
  return (await renderAccounts(services, viewer, [id])).get(id)
}
