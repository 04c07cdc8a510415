import { line, timestamp } from './copy.ts'
import { Numbers } from './numbers.ts'
import { snowflakeAt, type People } from './people.ts'
import { statusId, type Posts } from './posts.ts'
import type { Sample } from './pictures.ts'
import { createPicker, createRandom } from './random.ts'
import type { FirstIds, Table } from './tables.ts'
import { TOPICS } from './words.ts'

/**
 * Attachments of statuses: pictures, links with preview cards, polls. At most one of the three for
 * each.
 */
export interface Attachments {
  /** The number of pictures of each status. */
  readonly pictures: Uint8Array
  /** The number of the page that each status links to, or -1. */
  readonly links: Int32Array
  readonly polls: Int32Array
  /** The URL of a page. */
  readonly urlOf: (page: number) => string
}

const NONE = -1
const DIRECT = 3
const PICTURE_SHARE = 0.14
const SECOND_PICTURE_SHARE = 0.25
const MAX_PICTURES = 4
const LINK_SHARE = 0.06
const POLL_SHARE = 0.01
const STATUSES_PER_PAGE = 40
const MAX_PAGES = 50_000
const POLL_MS = 3 * 86_400_000

/** Generates the attachments. Boosts and direct statuses have none. */
export function generateAttachments(people: People, posts: Posts, seed: string): Attachments {
  const random = createRandom(seed, 'attachments')
  const pages = Math.min(MAX_PAGES, Math.max(10, Math.round(posts.size / STATUSES_PER_PAGE)))
  const pickPage = createPicker(Float64Array.from({ length: pages }, (_, rank) => 1 / (rank + 3)))
  const pictures = new Uint8Array(posts.size)
  const links = new Int32Array(posts.size).fill(NONE)
  const polls = new Numbers()
  for (let index = 0; index < posts.size; index += 1) {
    if (posts.originals[index] !== NONE || posts.visibilities[index] === DIRECT) continue
    const roll = random.next()
    if (roll < PICTURE_SHARE) {
      let count = 1
      while (count < MAX_PICTURES && random.chance(SECOND_PICTURE_SHARE)) count += 1
      pictures[index] = count
    } else if (roll < PICTURE_SHARE + LINK_SHARE) links[index] = pickPage(random)
    else if (roll < PICTURE_SHARE + LINK_SHARE + POLL_SHARE) polls.push(index)
  }
  return {
    pictures,
    links,
    polls: Int32Array.from(polls.values()),
    urlOf: page => `https://notes.seed.example/${people.from}/${page.toString(36)}`,
  }
}

/** The ids of a status's pictures, with timestamps that no other status has. */
export const pictureIds = (posts: Posts, { pictures }: Attachments, index: number): string[] =>
  Array.from({ length: pictures[index] ?? 0 }, (_, position) =>
    snowflakeAt(posts.timesMs[index] ?? 0, posts.from + index + position),
  )

/**
 * Writes the descriptions of pictures and the options of polls; each must be asked for in the order
 * of the statuses. Calls with the same seed write the same texts: they are columns of two tables,
 * of what is attached and of the status that is found by them.
 */
export function createAttachedTexts(seed: string): { description(): string | null; options(): string[] } {
  const pictures = createRandom(seed, 'descriptions')
  const polls = createRandom(seed, 'options')
  return {
    description: () => (pictures.chance(0.6) ? `A picture of ${pictures.pick(TOPICS)}` : null),
    options() {
      const topics = Array.from({ length: 2 + polls.below(3) }, () => polls.pick(TOPICS))
      return [...new Set<string>([...topics, 'none of these'])]
    },
  }
}

function pictureTable(
  people: People,
  posts: Posts,
  attachments: Attachments,
  samples: readonly Sample[],
  seed: string,
): Table {
  const random = createRandom(seed, 'pictures')
  const texts = createAttachedTexts(seed)
  return {
    table: 'media_attachments',
    columns: [
      'id',
      'account_id',
      'status_id',
      'type',
      'file_key',
      'preview_key',
      'meta',
      'description',
      'blurhash',
      'created_at',
    ],
    rows: attachments.pictures.reduce((sum, count) => sum + count, 0),
    *lines() {
      for (let index = 0; index < posts.size; index += 1) {
        for (const id of pictureIds(posts, attachments, index)) {
          const sample = random.pick(samples)
          const description = texts.description()
          yield line([
            id,
            people.ids[posts.authors[index] ?? 0] ?? null,
            statusId(posts, index),
            'image',
            sample.fileKey,
            sample.previewKey,
            sample.meta,
            description,
            sample.blurhash,
            timestamp(posts.timesMs[index] ?? 0),
          ])
        }
      }
    },
  }
}

/** The statuses with links, and the first status with a link to each page. */
function readLinks({ links }: Attachments): { linking: number[]; firsts: Map<number, number> } {
  const linking: number[] = []
  const firsts = new Map<number, number>()
  links.forEach((page, index) => {
    if (page === NONE) return
    linking.push(index)
    if (!firsts.has(page)) firsts.set(page, index)
  })
  return { linking, firsts }
}

function cardTables(posts: Posts, attachments: Attachments, seed: string): Table[] {
  const random = createRandom(seed, 'cards')
  const { linking, firsts } = readLinks(attachments)
  const first = (page: number): number => firsts.get(page) ?? 0
  // A page has the id of the first status that links to it.
  return [
    {
      table: 'preview_cards',
      columns: ['id', 'url', 'type', 'title', 'description', 'provider_name', 'created_at', 'fetched_at'],
      rows: firsts.size,
      *lines() {
        for (const [page, status] of firsts) {
          const topic = random.pick(TOPICS)
          const at = timestamp(posts.timesMs[status] ?? 0)
          const title = `${topic.charAt(0).toUpperCase()}${topic.slice(1)} and ${random.pick(TOPICS)}`
          const description = `What there is to know about ${topic}, and a little about ${random.pick(TOPICS)}.`
          yield line([statusId(posts, status), attachments.urlOf(page), 'link', title, description, 'Notes', at, at])
        }
      },
    },
    {
      table: 'preview_cards_statuses',
      columns: ['status_id', 'preview_card_id', 'url'],
      rows: linking.length,
      *lines() {
        for (const status of linking) {
          const page = attachments.links[status] ?? 0
          yield line([statusId(posts, status), statusId(posts, first(page)), attachments.urlOf(page)])
        }
      },
    },
  ]
}

/** Polls without votes; those of the past have ended. */
function pollTable(posts: Posts, { polls }: Attachments, first: FirstIds, untilMs: number, seed: string): Table {
  const random = createRandom(seed, 'polls')
  const texts = createAttachedTexts(seed)
  return {
    table: 'polls',
    columns: [
      'id',
      'status_id',
      'options',
      'tallies',
      'multiple',
      'hide_totals',
      'expires_in_s',
      'expires_at',
      'ended_at',
      'created_at',
    ],
    rows: polls.length,
    *lines() {
      for (const [index, status] of polls.entries()) {
        const postedAt = posts.timesMs[status] ?? 0
        const options = texts.options()
        const ends = timestamp(postedAt + POLL_MS)
        yield line([
          (first['polls'] ?? 0) + index,
          statusId(posts, status),
          `{${options.map(option => `"${option}"`).join(',')}}`,
          `{${options.map(() => 0).join(',')}}`,
          random.chance(0.2),
          false,
          POLL_MS / 1000,
          ends,
          postedAt + POLL_MS < untilMs ? ends : null,
          timestamp(postedAt),
        ])
      }
    },
  }
}

export function attachmentTables(
  dataset: { people: People; posts: Posts; attachments: Attachments; size: { seed: string; untilMs: number } },
  first: FirstIds,
  samples: readonly Sample[],
): Table[] {
  const { people, posts, attachments, size } = dataset
  return [
    pictureTable(people, posts, attachments, samples, size.seed),
    ...cardTables(posts, attachments, size.seed),
    pollTable(posts, attachments, first, size.untilMs, size.seed),
  ]
}
