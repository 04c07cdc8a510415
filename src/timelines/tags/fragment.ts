import { c, query } from '../../platform/database/index.ts'
import { createFragments, type Fragments } from '../../platform/cache/fragments.ts'
import { perServer, type Services } from '../../platform/services.ts'
import { factsOf } from '../../statuses/index.ts'
import { tagUrl } from '../../core/text/index.ts'
import { DAY_MS, firstDay, makeHistory, midnightBefore, type DayOfUse } from './history.ts'

const findTags = query(
  'timelines/tags/fragments',
  { names: c.texts, first: c.date, busy: c.integer },
  { id: c.id, name: c.text, display_name: c.text, history: c.json<DayOfUse[]>() },
)

/** A hashtag as it is for everybody: the entity Tag without its closing brace. */
export interface TagFragment {
  readonly text: string
  /** Afterwards it is counted anew: there is another day, or an author was limited. */
  readonly freshUntil: number
}

const FRESH_MS = 10 * 60_000
/** A hashtag with more uses a day is not counted when it is looked at, but by the job that counts all (src/timelines/trends). */
const BUSY_USES = 1_000

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

/**
 * Hashtags by their identities (`normaliseTag`); of one that is not stored there is none. Kept until a status with it comes or goes, or
 * hashtags have been counted.
 */
const fragments: (services: Services) => Fragments<TagFragment> = perServer(services => {
  const kept = createFragments<TagFragment>(services, {
    name: 'tags',
    async load(names) {
      const now = Date.now()
      const rows = await services.database.run(findTags, { names, first: firstDay(now), busy: BUSY_USES })
      return new Map(rows.map(row => [row.name, makeTagFragment(row, services.config.publicUrl, now)]))
    },
  })
  const subscription = services.events.local$.subscribe(event => {
    if (event.kind === 'trends.changed') kept.clear()
    for (const name of factsOf(event)?.tags ?? []) kept.drop(name)
  })
  services.onClose(() => subscription.unsubscribe())
  return kept
})

/** The fragments of these hashtags, counted within the last ten minutes and since the last status with it. */
export async function tagFragments(services: Services, names: readonly string[]): Promise<Map<string, TagFragment>> {
  const kept = fragments(services)
  const found = await kept.get(names)
  const stale = [...found].flatMap(([name, { freshUntil }]) => (freshUntil <= Date.now() ? [name] : []))
  if (stale.length === 0) return found
  for (const name of stale) kept.drop(name)
  for (const [name, fragment] of await kept.get(stale)) found.set(name, fragment)
  return found
}
