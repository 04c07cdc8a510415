import { LRUCache } from 'lru-cache'
import { c, query, type Row } from '../platform/database/index.ts'
import { onEvents, type ChangeOf, type EventOf } from '../platform/events/index.ts'
import type { Id } from '../core/id.ts'
import { intern } from '../core/interner.ts'
import { perServer, type Services } from '../platform/services.ts'

const viewerState = query(
  'statuses/viewer_state',
  { viewer: c.nullable(c.id), ids: c.ids },
  {
    id: c.id,
    favourited: c.boolean,
    reblogged: c.boolean,
    muted: c.boolean,
    bookmarked: c.boolean,
    pinned: c.boolean,
    follows_author: c.boolean,
    votes: c.nullable(c.integers),
  },
)

/** The state of a status for a viewer who may see it. */
export type ViewerState = Omit<Row<typeof viewerState.columns>, 'id'>

export const NO_INTERACTIONS: ViewerState = {
  favourited: false,
  reblogged: false,
  muted: false,
  bookmarked: false,
  pinned: false,
  follows_author: false,
  votes: null,
}

/** Also used for the viewer's own statuses, which count as followed. */
export const NO_INTERACTIONS_FOLLOWED: ViewerState = { ...NO_INTERACTIONS, follows_author: true }

/**
 * The viewers' states of statuses, cached because clients request the same pages repeatedly; a page
 * that was seen before needs no query. The cache also records that a viewer may not see a status
 * (null). Every input of `visible_statuses` and of the query has an event: the viewer's
 * interactions, relationships in both directions, edits (which change the mentions), and the state
 * of accounts. A deleted status needs none, since its fragment is dropped.
 */
export interface ViewerStates {
  /** The states of those statuses that the viewer may see. */
  of(viewer: Id, ids: readonly Id[]): Promise<Map<Id, ViewerState>>
}

/**
 * The limits of viewers, and of statuses for each: about 75 bytes a status when no other viewer has
 * its id, so 30 MB at most.
 */
const VIEWERS = 2000
const STATUSES = 200

/** Changes of an account or user that do not affect which statuses are visible. */
const HARMLESS: ReadonlySet<ChangeOf<'account.changed'> | ChangeOf<'user.changed'>> = new Set([
  'created',
  'profile',
  'role',
  'counts',
  'preferences',
  'password',
] as const)

interface Load {
  readonly viewer: Id
  /** An event arrived during the load, so its result may be outdated. */
  stale: boolean
}

export const viewerStates: (services: Services) => ViewerStates = perServer(services => {
  const viewers = new LRUCache<Id, Map<Id, ViewerState | null>>({ max: VIEWERS })
  const loads = new Set<Load>()

  function distrust(viewer?: Id): void {
    for (const load of loads) if (viewer === undefined || load.viewer === viewer) load.stale = true
  }

  function forget(viewer: Id): void {
    viewers.delete(viewer)
    distrust(viewer)
  }

  function forgetOne(viewer: Id | null, status: Id | null, boosted: Id | null = null): void {
    if (viewer === null || status === null) return
    const known = viewers.peek(viewer)
    known?.delete(status)
    if (boosted !== null) known?.delete(boosted)
    distrust(viewer)
  }

  function forgetAll(): void {
    viewers.clear()
    distrust()
  }

  const forgetPost = (event: EventOf<'status.created' | 'status.deleted'>): void =>
    forgetOne(event.actor_id, event.status_id, event.data.reblog_of_id)

  const followStanding = (event: EventOf<'account.changed' | 'user.changed'>): void => {
    if (!HARMLESS.has(event.data.change)) forgetAll()
  }

  function remember(viewer: Id, asked: readonly Id[], found: ReadonlyMap<Id, ViewerState>): void {
    let known = viewers.get(viewer)
    if (!known || known.size + found.size > STATUSES) viewers.set(viewer, (known = new Map()))
    for (const id of asked) known.set(intern(id), null)
    for (const [id, state] of found) known.set(id, state)
  }

  async function ask(viewer: Id, ids: readonly Id[]): Promise<Map<Id, ViewerState>> {
    const load: Load = { viewer, stale: false }
    loads.add(load)
    try {
      const found = await findStates(services, viewer, ids)
      if (!load.stale) remember(viewer, ids, found)
      return found
    } finally {
      loads.delete(load)
    }
  }

  const subscription = onEvents(services.events.local$, {
    'status.created': forgetPost,
    'status.deleted': forgetPost,
    'status.updated': ({ status_id: status }) => {
      for (const known of viewers.values()) known.delete(status)
      distrust()
    },
    'status.counted': event => forgetOne(event.actor_id, event.status_id),
    'status.pinned': event => forgetOne(event.actor_id, event.status_id),
    'interaction.changed': event => {
      if (event.data.change === 'mute') forget(event.actor_id)
      else forgetOne(event.actor_id, event.status_id)
    },
    'relationship.changed': event => {
      forget(event.actor_id)
      forget(event.account_id)
    },
    'account.changed': followStanding,
    'user.changed': followStanding,
    'account.deleted': forgetAll,
    'caches.cleared': forgetAll,
  })
  services.onClose(() => subscription.unsubscribe())
  return {
    async of(viewer, ids) {
      const known = viewers.get(viewer)
      const states = new Map<Id, ViewerState>()
      const missing: Id[] = []
      for (const id of ids) {
        const state = known?.get(id)
        if (state) states.set(id, state)
        else if (state === undefined) missing.push(id)
      }
      if (missing.length > 0) {
        const found = await ask(viewer, missing)
        for (const id of missing) {
          const state = found.get(id)
          if (state) states.set(id, state)
        }
      }
      return states
    },
  }
})

/**
 * Queries the database, also for the boosted statuses. Viewer null is anonymous and gets only
 * visibility.
 */
export async function findStates(
  { database }: Services,
  viewer: Id | null,
  ids: readonly Id[],
): Promise<Map<Id, ViewerState>> {
  const rows = await database.run(viewerState, { viewer, ids: [...ids] })
  return new Map(rows.map(({ id, ...state }) => [id, shared(state)]))
}

const combinations = new Map<string, ViewerState>()

/** Most states are one of a few dozen combinations, so equal ones share an object. */
function shared(state: ViewerState): ViewerState {
  if (state.votes !== null) return state
  const key = Object.values(state).join()
  const known = combinations.get(key)
  if (known) return known
  combinations.set(key, state)
  return state
}
