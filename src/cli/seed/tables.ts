import { createAttachedTexts, pictureIds } from './attachments.ts'
import { line, timestamp, type Target } from './copy.ts'
import type { Relations } from './graph.ts'
import type { Favourites } from './favourites.ts'
import { FAVOURITE, FOLLOW, FOLLOW_REQUEST, MENTION, NOTIFICATION_TYPES } from './notifications.ts'
import { statusId, VISIBILITIES } from './posts.ts'
import { createRandom } from './random.ts'
import { createWriter } from './texts.ts'
import type { Dataset } from './dataset.ts'

/** Rows of a table for COPY, generated while they are written. */
export interface Table extends Target {
  readonly rows: number
  lines(): Iterable<string>
}

/** The first row id of each table with a counter. */
export type FirstIds = Readonly<Record<string, number>>

const NONE = -1
const HOUR_MS = 3_600_000
const GROUP_HOURS = 12
const FIELDS_SHARE = 0.3

function* range(end: number): Generator<number> {
  for (let index = 0; index < end; index += 1) yield index
}

/** A table with one row for each index. */
function table(name: string, columns: readonly string[], rows: number, row: (index: number) => string): Table {
  return {
    table: name,
    columns,
    rows,
    *lines() {
      for (const index of range(rows)) yield row(index)
    },
  }
}

export function accountTable({ people, posts, attachments, size }: Dataset, publicUrl: string): Table {
  const writer = createWriter(people, posts, attachments, { seed: size.seed, publicUrl })
  const random = createRandom(size.seed, 'fields')
  const fields = (index: number): string => {
    const value = people.languages[index]?.places[0] ?? ''
    if (!random.chance(FIELDS_SHARE)) return '[]'
    return JSON.stringify([{ name: 'Mostly in', value, value_html: value, verified_at: null }])
  }
  return table(
    'accounts',
    [
      'id',
      'username',
      'display_name',
      'note',
      'note_html',
      'fields',
      'actor_type',
      'locked',
      'discoverable',
      'indexable',
      'created_at',
      'updated_at',
    ],
    people.size,
    index => {
      const created = timestamp(people.createdMs[index] ?? 0)
      const chosen = people.discoverable[index]
      return line([
        people.ids[index] ?? null,
        people.usernames[index] ?? '',
        people.displayNames[index] ?? '',
        people.notes[index] ?? '',
        writer.note(index),
        fields(index),
        people.bots[index] === 1 ? 'Service' : 'Person',
        people.locked[index] === 1,
        chosen === 2 ? null : chosen === 1,
        people.indexable[index] === 1,
        created,
        created,
      ])
    },
  )
}

export function userTable({ people, posts }: Dataset, first: FirstIds, passwordHash: string): Table {
  return table(
    'users',
    [
      'id',
      'account_id',
      'email',
      'password_hash',
      'confirmed_at',
      'locale',
      'last_active_at',
      'created_at',
      'updated_at',
    ],
    people.size,
    index => {
      const created = timestamp(people.createdMs[index] ?? 0)
      const active = timestamp(Math.max(posts.lastWrittenMs[index] ?? 0, people.createdMs[index] ?? 0))
      return line([
        (first['users'] ?? 0) + index,
        people.ids[index] ?? null,
        `${people.usernames[index] ?? ''}@seed.example`,
        passwordHash,
        created,
        people.languages[index]?.code ?? 'en',
        active,
        created,
        created,
      ])
    },
  )
}

export function relationTable(dataset: Dataset, name: string, relations: Relations, first: FirstIds): Table {
  const { ids } = dataset.people
  return table(name, ['id', 'account_id', 'target_account_id', 'created_at'], relations.sources.length, index =>
    line([
      (first[name] ?? 0) + index,
      ids[relations.sources[index] ?? 0] ?? null,
      ids[relations.targets[index] ?? 0] ?? null,
      timestamp(relations.times[index] ?? 0),
    ]),
  )
}

export function followTable({ people: { ids }, graph: { follows } }: Dataset, first: FirstIds): Table {
  return table(
    'follows',
    ['id', 'account_id', 'target_account_id', 'show_reblogs', 'notify', 'created_at'],
    follows.sources.length,
    index =>
      line([
        (first['follows'] ?? 0) + index,
        ids[follows.sources[index] ?? 0] ?? null,
        ids[follows.targets[index] ?? 0] ?? null,
        follows.hidesReblogs[index] !== 1,
        follows.notifies[index] === 1,
        timestamp(follows.times[index] ?? 0),
      ]),
  )
}

/** A thread has the id of its first status. */
export function conversationTable({ posts }: Dataset): Table {
  const roots = posts.roots.reduce((count, root, index) => count + (root === index ? 1 : 0), 0)
  return {
    table: 'conversations',
    columns: ['id', 'created_at'],
    rows: roots,
    *lines() {
      for (const index of range(posts.size)) {
        if (posts.roots[index] === index) yield line([statusId(posts, index), timestamp(posts.timesMs[index] ?? 0)])
      }
    },
  }
}

const STATUS_COLUMNS = [
  'id',
  'account_id',
  'text',
  'content',
  'spoiler_text',
  'visibility',
  'sensitive',
  'language',
  'in_reply_to_id',
  'in_reply_to_account_id',
  'reblog_of_id',
  'conversation_id',
  'media_attachment_ids',
  'content_kinds',
  'attached_text',
  'created_at',
]

export function statusTable(dataset: Dataset, publicUrl: string): Table {
  const { people, posts, attachments, size } = dataset
  const writer = createWriter(people, posts, attachments, { seed: size.seed, publicUrl })
  const polled = new Set(attachments.polls)
  const contentKinds = (index: number): string => {
    if ((attachments.pictures[index] ?? 0) > 0) return '{image}'
    if ((attachments.links[index] ?? -1) >= 0) return '{link}'
    return polled.has(index) ? '{poll}' : '{}'
  }
  const texts = createAttachedTexts(size.seed)
  // As SQL's `attached_text_of` makes it, which a trigger calls for other statuses.
  const attachedText = (index: number): string => {
    const descriptions = Array.from({ length: attachments.pictures[index] ?? 0 }, () => texts.description())
    const options = polled.has(index) ? texts.options() : []
    return [...descriptions, ...options].filter(text => text !== null).join('\n\n')
  }
  return table('statuses', STATUS_COLUMNS, posts.size, index => {
    const id = statusId(posts, index)
    const account = people.ids[posts.authors[index] ?? 0] ?? null
    const visibility = VISIBILITIES[posts.visibilities[index] ?? 0] ?? 'public'
    const created = timestamp(posts.timesMs[index] ?? 0)
    const original = posts.originals[index] ?? NONE
    if (original !== NONE) {
      const boosted = statusId(posts, original)
      return line([
        id,
        account,
        '',
        '',
        '',
        visibility,
        false,
        null,
        null,
        null,
        boosted,
        null,
        '{}',
        '{}',
        '',
        created,
      ])
    }
    const { text, content, spoilerText, sensitive, language } = writer.status(index)
    const parent = posts.parents[index] ?? NONE
    const isReply = parent !== NONE
    return line([
      id,
      account,
      text,
      content,
      spoilerText,
      visibility,
      sensitive,
      language,
      isReply ? statusId(posts, parent) : null,
      isReply ? (people.ids[posts.answered[index] ?? 0] ?? null) : null,
      null,
      statusId(posts, posts.roots[index] ?? index),
      `{${pictureIds(posts, attachments, index).join(',')}}`,
      contentKinds(index),
      attachedText(index),
      created,
    ])
  })
}

export function mentionTable({ people, posts }: Dataset, first: FirstIds): Table {
  return {
    table: 'mentions',
    columns: ['id', 'status_id', 'account_id'],
    rows: posts.mentioned.length,
    *lines() {
      for (const index of range(posts.size)) {
        for (let place = posts.mentionStarts[index] ?? 0; place < (posts.mentionStarts[index + 1] ?? 0); place += 1) {
          const account = people.ids[posts.mentioned[place] ?? 0] ?? null
          yield line([(first['mentions'] ?? 0) + place, statusId(posts, index), account])
        }
      }
    },
  }
}

/** `tagIds` has the id of each hashtag by its index. */
export function statusTagTable({ people, posts }: Dataset, tagIds: readonly string[]): Table {
  return {
    table: 'status_tags',
    columns: ['tag_id', 'status_id', 'account_id'],
    rows: posts.tagged.length,
    *lines() {
      for (const index of range(posts.size)) {
        for (let place = posts.tagStarts[index] ?? 0; place < (posts.tagStarts[index + 1] ?? 0); place += 1) {
          const author = people.ids[posts.authors[index] ?? 0] ?? null
          yield line([tagIds[posts.tagged[place] ?? 0] ?? null, statusId(posts, index), author])
        }
      }
    },
  }
}

export function favouriteTable(
  { people, posts }: Dataset,
  name: string,
  favourites: Favourites,
  first: FirstIds,
): Table {
  return table(name, ['id', 'account_id', 'status_id', 'created_at'], favourites.accounts.length, index =>
    line([
      (first[name] ?? 0) + index,
      people.ids[favourites.accounts[index] ?? 0] ?? null,
      statusId(posts, favourites.statuses[index] ?? 0),
      timestamp(favourites.timesMs[index] ?? 0),
    ]),
  )
}

/** Statuses without replies, boosts or favourites have no row. */
export function statusStatsTable({ posts, favourites }: Dataset): Table {
  const favouriteCounts = new Int32Array(posts.size)
  for (const status of favourites.statuses) favouriteCounts[status] = (favouriteCounts[status] ?? 0) + 1
  const withCounters = [...range(posts.size)].filter(
    index => (posts.replies[index] ?? 0) + (posts.reblogs[index] ?? 0) + (favouriteCounts[index] ?? 0) > 0,
  )
  return table(
    'status_stats',
    ['status_id', 'replies_count', 'reblogs_count', 'favourites_count'],
    withCounters.length,
    row => {
      const index = withCounters[row] ?? 0
      return line([
        statusId(posts, index),
        posts.replies[index] ?? 0,
        posts.reblogs[index] ?? 0,
        favouriteCounts[index] ?? 0,
      ])
    },
  )
}

/** A key like that of SQL's `notification_group`: one type and status, within twelve hours. */
function groupKey(type: string, statusKey: string, atMs: number, id: number): string {
  const hour = Math.floor(atMs / HOUR_MS)
  const bucket = hour - (hour % GROUP_HOURS)
  if (type === 'favourite' || type === 'reblog') return `${type}-${statusKey}-${bucket}`
  return type === 'follow' ? `${type}-${bucket}` : `ungrouped-${id}`
}

export function notificationTable({ people, posts, notifications }: Dataset, first: FirstIds): Table {
  const names = {
    [MENTION]: 'mentions',
    [FAVOURITE]: 'favourites',
    [FOLLOW]: 'follows',
    [FOLLOW_REQUEST]: 'follow_requests',
  }
  const counted = new Map(Object.entries(names).map(([type, name]) => [Number(type), first[name] ?? 0]))
  return table(
    'notifications',
    ['id', 'account_id', 'from_account_id', 'type', 'status_id', 'activity_id', 'group_key', 'created_at'],
    notifications.size,
    index => {
      const id = (first['notifications'] ?? 0) + index
      const type = notifications.types[index] ?? 0
      const activity = notifications.causes[index] ?? 0
      const firstActivity = counted.get(type)
      const status = notifications.statuses[index] ?? NONE
      const at = notifications.timesMs[index] ?? 0
      const name = NOTIFICATION_TYPES[type] ?? ''
      const statusKey = status === NONE ? null : statusId(posts, status)
      return line([
        id,
        people.ids[notifications.recipients[index] ?? 0] ?? null,
        people.ids[notifications.senders[index] ?? 0] ?? null,
        name,
        statusKey,
        firstActivity === undefined ? statusId(posts, activity) : firstActivity + activity,
        groupKey(name, statusKey ?? '', at, id),
        timestamp(at),
      ])
    },
  )
}
