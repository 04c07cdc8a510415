import { mentionedIn, type NamedAccount } from '../../accounts/index.ts'
import { acctOf } from '../../core/acct.ts'
import { c, query, type Row } from '../../platform/database/index.ts'
import type { ChangeOf } from '../../platform/events/index.ts'
import type { Id } from '../../core/id.ts'
import { eventCache, type EventCache } from '../../platform/cache/event_cache.ts'
import { perServer, type Services } from '../../platform/services.ts'
import { statusIdIn } from '../../statuses/index.ts'
import { normaliseTag, recognise, shortcodesIn } from '../../core/text/index.ts'

interface Image {
  key: string
  static_key: string
}

interface StoredReaction {
  name: string
  count: number
  /** The picture of a custom emoji. */
  image: Image | null
}

const findAnnouncements = query(
  'instance/announcements/fragments',
  { ids: c.ids },
  {
    id: c.id,
    text: c.text,
    content: c.text,
    starts_at: c.nullable(c.timestamp),
    ends_at: c.nullable(c.timestamp),
    all_day: c.boolean,
    published_at: c.nullable(c.timestamp),
    updated_at: c.timestamp,
    emojis: c.nullable(c.json<{ shortcode: string; image: Image; visible_in_picker: boolean }[]>()),
    reactions: c.json<StoredReaction[]>(),
  },
)

type AnnouncementRow = Row<typeof findAnnouncements.columns>

/** The entity Reaction, split where viewer-specific members are inserted. */
export interface ReactionFragment {
  readonly name: string
  readonly head: string
  readonly tail: string
}

/** An announcement as text: `head` read `middle` statuses `tail` reactions. */
export interface AnnouncementFragment {
  readonly id: Id
  readonly head: string
  readonly middle: string
  readonly tail: string
  readonly reactions: readonly ReactionFragment[]
  /** Local statuses that the text links to; visibility is checked later. */
  readonly statusIds: readonly Id[]
}

/** The picture URLs of a reaction with a custom emoji. */
export const pictureUrls = (image: Image | null, { storage }: Services): object =>
  image === null ? {} : { url: storage.url(image.key), static_url: storage.url(image.static_key) }

const renderMention = (account: NamedAccount): object => {
  const { id, username, url } = account
  return { id, username, url, acct: acctOf(account) }
}

function tagsIn(text: string, publicUrl: string): object[] {
  const tags = new Map<string, object>()
  for (const entity of recognise(text)) {
    if (entity.kind !== 'hashtag') continue
    const name = normaliseTag(entity.name)
    if (!tags.has(name)) tags.set(name, { name, url: `${publicUrl}/tags/${encodeURIComponent(name)}` })
  }
  return [...tags.values()]
}

function emojisOf(row: AnnouncementRow, { storage }: Services): object[] {
  const used = new Set(shortcodesIn(row.text))
  return (row.emojis ?? []).flatMap(({ shortcode, image, visible_in_picker }) =>
    used.has(shortcode)
      ? [{ shortcode, url: storage.url(image.key), static_url: storage.url(image.static_key), visible_in_picker }]
      : [],
  )
}

/** Looser than link detection, since this server's own host need not have a top-level domain. */
const urlsIn = (text: string): string[] =>
  [...text.matchAll(/https?:\/\/[^\s<>"]+/gi)].map(([url]) => url.replace(/[.,;:!?)\]]+$/, ''))

async function makeFragment(services: Services, row: AnnouncementRow): Promise<AnnouncementFragment> {
  const { publicUrl } = services.config
  const { id, content, starts_at, ends_at, all_day, published_at, updated_at } = row
  const linked = new Set(urlsIn(row.text).flatMap(url => statusIdIn(url, publicUrl) ?? []))
  const mentions = (await mentionedIn(services, row.text)).map(renderMention)
  const tags = tagsIn(row.text, publicUrl)
  return {
    id,
    head: JSON.stringify({ id, content, starts_at, ends_at, all_day, published_at, updated_at }).slice(0, -1),
    middle: `,"mentions":${JSON.stringify(mentions)},"statuses":`,
    tail: `,"tags":${JSON.stringify(tags)},"emojis":${JSON.stringify(emojisOf(row, services))},"reactions":`,
    statusIds: [...linked],
    reactions: row.reactions.map(({ name, count, image }) => ({
      name,
      head: `{"name":${JSON.stringify(name)},"count":${count}`,
      tail: image === null ? '}' : `,${JSON.stringify(pictureUrls(image, services)).slice(1)}`,
    })),
  }
}

/** Changes that decide whether an account is mentioned. */
const AFFECTS_MENTIONS: ReadonlySet<ChangeOf<'account.changed'>> = new Set(['suspended', 'unsuspended', 'deletion'])

/** Announcements without viewer-specific members, cached until an event changes one. */
export const announcementFragments: (services: Services) => EventCache<AnnouncementFragment> = perServer(services =>
  eventCache<AnnouncementFragment>(services, {
    name: 'announcements',
    async load(ids) {
      const rows = await services.database.run(findAnnouncements, { ids })
      return new Map(await Promise.all(rows.map(async row => [row.id, await makeFragment(services, row)] as const)))
    },
    drops: {
      'announcement.published': event => [event.object_id],
      'announcement.reaction': event => [event.object_id],
      'announcement.deleted': event => [event.object_id],
      'account.changed': event => (AFFECTS_MENTIONS.has(event.data.change) ? 'all' : []),
      'account.deleted': 'all',
      'emojis.changed': 'all',
    },
  }),
)
