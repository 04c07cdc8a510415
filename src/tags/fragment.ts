import { c, query } from '../database/index.ts'
import { createFragments, type Fragments } from '../render/fragments.ts'
import { part, type Services } from '../services.ts'
import { factsOf } from '../statuses/index.ts'

interface Day {
  /** Seconds of its midnight. */
  day: number
  uses: number
  accounts: number
}

const findTags = query(
  'tags/fragments',
  { names: c.texts, since: c.timestamp },
  { id: c.id, name: c.text, display_name: c.text, history: c.json<Day[]>() },
)

/** A hashtag as it is for everybody: the entity Tag without its closing brace. */
export interface TagFragment {
  readonly text: string
  /** Afterwards it is counted anew: there is another day, or an author was limited. */
  readonly freshUntil: number
}

const DAYS = 7
const DAY_MS = 86_400_000
const FRESH_MS = 10 * 60_000

const midnight = (now: number): number => now - (now % DAY_MS)

export function makeTagFragment(
  tag: { id: string; name: string; display_name: string; history: readonly Day[] },
  publicUrl: string,
  now: number,
): TagFragment {
  const today = midnight(now) / 1000
  const history = Array.from({ length: DAYS }, (_, ago) => {
    const day = today - (ago * DAY_MS) / 1000
    const used = tag.history.find(one => one.day === day)
    return { day: String(day), accounts: String(used?.accounts ?? 0), uses: String(used?.uses ?? 0) }
  })
  const url = `${publicUrl}/tags/${encodeURIComponent(tag.name)}`
  return {
    text: JSON.stringify({ id: tag.id, name: tag.display_name, url, history }).slice(0, -1),
    freshUntil: Math.min(midnight(now) + DAY_MS, now + FRESH_MS),
  }
}

/** Hashtags by their identities (`normaliseTag`); of one that is not stored there is none. Kept until a status with it comes or goes. */
const fragments: (services: Services) => Fragments<TagFragment> = part(services => {
  const kept = createFragments<TagFragment>({
    max: 5_000,
    async load(names) {
      const now = Date.now()
      const since = new Date(midnight(now) - (DAYS - 1) * DAY_MS)
      const rows = await services.database.run(findTags, { names, since })
      return new Map(rows.map(row => [row.name, makeTagFragment(row, services.config.publicUrl, now)]))
    },
  })
  const subscription = services.events.applied$.subscribe(event => {
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
