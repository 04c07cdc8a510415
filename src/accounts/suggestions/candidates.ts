import { parseHandle } from '../index.ts'
import { c, query } from '../../platform/database/index.ts'
import type { Id } from '../../core/id.ts'
import { eventCache, type EventCache } from '../../platform/cache/event_cache.ts'
import { perServer, type Services } from '../../platform/services.ts'

const findCandidates = query(
  'accounts/suggestions/candidates',
  {
    viewer: c.id,
    usernames: c.texts,
    domains: c.texts,
    friends: c.integer,
    recent: c.integer,
    limit_each: c.integer,
    limit: c.integer,
  },
  { id: c.id, sources: c.texts },
)
const findAcceptable = query('accounts/suggestions/acceptable', { viewer: c.id, ids: c.ids }, { id: c.id })

/**
 * The limits of the search: at most 10,000 follows of friends, and 5 × that of accounts who follow
 * the same people.
 */
const BOUNDS = { friends: 100, recent: 10, limit_each: 100, limit: 40 } as const
const WINDOW_MS = 15 * 60_000

/** A suggested account with the sources of the entity Suggestion (at least one), in order. */
export interface Candidate {
  readonly id: Id
  readonly sources: readonly string[]
}

interface Candidates {
  readonly found: readonly Candidate[]
  /** The quarter of an hour in which they were found. */
  readonly window: number
}

/** Accounts chosen by administrators, as suggestions or as default follows. */
function recommendedHandles({ settings, config }: Services): { usernames: string[]; domains: string[] } {
  const names = new Set([...settings.get('bootstrap_timeline_accounts'), ...settings.get('auto_follow_accounts')])
  const handles = [...names].flatMap(name => parseHandle(name, config) ?? [])
  return { usernames: handles.map(({ username }) => username), domains: handles.map(({ domain }) => domain ?? '') }
}

const windowNow = (): number => Math.floor(Date.now() / WINDOW_MS)

async function load(services: Services, viewer: Id): Promise<Candidates> {
  const found = await services.database.run(findCandidates, { viewer, ...recommendedHandles(services), ...BOUNDS })
  return { found, window: windowNow() }
}

/**
 * The candidates of each viewer, cached for up to 15 minutes; relationship changes invalidate them.
 */
const candidatesCache: (services: Services) => EventCache<Candidates> = perServer(services => {
  const fragments = eventCache<Candidates>(services, {
    name: 'suggestions',
    load: async viewers =>
      new Map(await Promise.all(viewers.map(async viewer => [viewer, await load(services, viewer)] as const))),
    drops: { 'relationship.changed': event => [event.actor_id], 'suggestions.ranked': 'all' },
  })
  // Not by the event: settings are reloaded after it, and candidates found in between would use the
  // old ones.
  const subscription = services.settings.changed$.subscribe(fragments.clear)
  services.onClose(() => subscription.unsubscribe())
  return fragments
})

/**
 * The accounts that the viewer may want to follow, as far as they may be suggested now. Finding
 * candidates is expensive, so they are cached; whether they may be suggested is checked each time.
 */
export async function suggestedTo(services: Services, viewer: Id): Promise<Candidate[]> {
  const fragments = candidatesCache(services)
  let candidates = await fragments.one(viewer)
  if (candidates && candidates.window !== windowNow()) {
    fragments.drop(viewer)
    candidates = await fragments.one(viewer)
  }
  const found = candidates?.found ?? []
  if (found.length === 0) return []
  const rows = await services.database.run(findAcceptable, { viewer, ids: found.map(({ id }) => id) })
  const acceptable = new Set(rows.map(({ id }) => id))
  return found.filter(({ id }) => acceptable.has(id))
}
