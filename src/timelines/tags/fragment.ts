import { c, query } from '../../platform/database/index.ts'
import { eventCache, type EventCache } from '../../platform/cache/event_cache.ts'
import type { ChangeOf } from '../../platform/events/index.ts'
import { perServer, type Services } from '../../platform/services.ts'
import { tagUrl } from '../../core/text/index.ts'
import { DAY_MS, firstDay, makeHistory, midnightBefore, type DayOfUse } from './history.ts'

const findTags = query(
  'timelines/tags/fragments',
  { names: c.texts, first: c.date, busy: c.integer },
  { id: c.id, name: c.text, display_name: c.text, history: c.json<DayOfUse[]>() },
)

/** A hashtag without the viewer's state: the entity Tag without its closing brace. */
export interface TagFragment {
  readonly text: string
  /**
   * The end of validity, when it must be counted again: a new day begins, or an author may have
   * been limited.
   */
  readonly freshUntil: number
}

const FRESH_MS = 10 * 60_000
/**
 * A hashtag with more uses a day is counted by the job that counts all (src/timelines/trends), and
 * not on demand.
 */
const MAX_COUNTED_ON_DEMAND = 1_000

export function makeTagFragment(
  tag: { id: string; name: string; display_name: string; history: readonly DayOfUse[] },
  publicUrl: string,
  now: number,
): TagFragment {
  const url = tagUrl(tag.name, publicUrl)
  const history = makeHistory(tag.history, now)
  return {
    text: JSON.stringify({ id: tag.id, name: tag.display_name, url, history }).slice(0, -1),
    freshUntil: Math.min(midnightBefore(now) + DAY_MS, now + FRESH_MS),
  }
}

/** Changes of an account that decide whether its statuses count; all are rare. */
const AFFECTS_COUNTS: ReadonlySet<ChangeOf<'account.changed'>> = new Set([
  'suspended',
  'unsuspended',
  'silenced',
  'unsilenced',
  'deletion',
])

/**
 * Hashtags by their identities (`normaliseTag`); unknown hashtags have none. Cached until a status
 * with the hashtag is created, edited or deleted, its author is limited or suspended, or hashtags
 * are counted.
 */
const fragments: (services: Services) => EventCache<TagFragment> = perServer(services =>
  eventCache<TagFragment>(services, {
    name: 'tags',
    async load(names) {
      const now = Date.now()
      const rows = await services.database.run(findTags, { names, first: firstDay(now), busy: MAX_COUNTED_ON_DEMAND })
      return new Map(rows.map(row => [row.name, makeTagFragment(row, services.config.publicUrl, now)]))
    },
    drops: {
      'status.created': event => event.data.tags,
      'status.updated': ({ data: { tags, removed_tags: removed = [] } }) => [...tags, ...removed],
      'status.deleted': event => event.data.tags,
      'account.changed': event => (AFFECTS_COUNTS.has(event.data.change) ? 'all' : []),
      'tag.changed': event => [event.data.name],
      'trends.changed': 'all',
    },
  }),
)

/**
 * The fragments of these hashtags, counted within the last ten minutes and since the last status
 * with them.
 */
export async function tagFragments(services: Services, names: readonly string[]): Promise<Map<string, TagFragment>> {
  const cache = fragments(services)
  const found = await cache.get(names)
  const now = Date.now()
  // A time far in the future means that it was counted before the clock was set back.
  const isStale = ({ freshUntil }: TagFragment): boolean => freshUntil <= now || freshUntil > now + FRESH_MS
  const stale = [...found].flatMap(([name, fragment]) => (isStale(fragment) ? [name] : []))
  if (stale.length === 0) return found
  for (const name of stale) cache.drop(name)
  for (const [name, fragment] of await cache.get(stale)) found.set(name, fragment)
  return found
}
