import { LRUCache } from 'lru-cache'
import { c, query, type Row } from '../platform/database/index.ts'
import { onEvents, type ChangeOf, type EventHandlers, type EventOf } from '../platform/events/index.ts'
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
  { pipelined: true },
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
  /**
   * The states of those statuses that the viewer may see.
   * @param find finds those that are not cached; else a query does
   */
  of(
    viewer: Id,
    ids: readonly Id[],
    find?: (missing: readonly Id[]) => Promise<Map<Id, ViewerState>>,
  ): Promise<Map<Id, ViewerState>>
  /** Starts loading those that are not in memory. */
  prefetch(viewer: Id, ids: readonly Id[]): void
}

/**
 * The limits of viewers, and of statuses for each: about 75 bytes a status when no other viewer has
 * its id, so 30 MB at most.
 */
const VIEWERS = 2000
const STATUSES = 200

/** Changes of an account or user that do not affect what others may see of it. */
const HARMLESS: ReadonlySet<ChangeOf<'account.changed'> | ChangeOf<'user.changed'>> = new Set([
  'created',
  'profile',
  'verified',
  'role',
  'counts',
  'aliases',
  'moved',
  'silenced',
  'unsilenced',
  'sensitized',
  'unsensitized',
  'preferences',
  'password',
  'second_factor',
  'disabled',
  'enabled',
] as const)

/** Whether the event may hide an account and its statuses from others, or show them again. */
export const changesVisibility = ({ data }: EventOf<'account.changed' | 'user.changed'>): boolean =>
  !HARMLESS.has(data.change)

interface Load {
  readonly viewer: Id
  readonly ids: ReadonlySet<Id>
  /** An event arrived during the load, so its result may be outdated. */
  stale: boolean
}

/** The cached states by viewer and status, and the loads in progress. */
class StateMemory {
  readonly #viewers = new LRUCache<Id, Map<Id, ViewerState | null>>({ max: VIEWERS })
  readonly #loads = new Map<Load, Promise<ReadonlyMap<Id, ViewerState>>>()

  of(viewer: Id): ReadonlyMap<Id, ViewerState | null> | undefined {
    return this.#viewers.get(viewer)
  }

  /** Loads states, and stores them unless an event arrives meanwhile. */
  load(
    viewer: Id,
    ids: readonly Id[],
    find: () => Promise<Map<Id, ViewerState>>,
  ): Promise<ReadonlyMap<Id, ViewerState>> {
    const load: Load = { viewer, ids: new Set(ids), stale: false }
    const loaded = this.#run(load, ids, find)
    this.#loads.set(load, loaded)
    return loaded
  }

  async #run(
    load: Load,
    ids: readonly Id[],
    find: () => Promise<Map<Id, ViewerState>>,
  ): Promise<ReadonlyMap<Id, ViewerState>> {
    try {
      const found = await find()
      if (!load.stale) this.#store(load.viewer, ids, found)
      return found
    } finally {
      this.#loads.delete(load)
    }
  }

  /** Waits for loads in progress of some of these states; undefined if there are none. */
  loading(viewer: Id, ids: readonly Id[]): Promise<unknown> | undefined {
    const loads: Promise<unknown>[] = []
    for (const [load, loaded] of this.#loads)
      if (load.viewer === viewer && ids.some(id => load.ids.has(id))) loads.push(loaded)
    return loads.length > 0 ? Promise.allSettled(loads) : undefined
  }

  #store(viewer: Id, ids: readonly Id[], found: ReadonlyMap<Id, ViewerState>): void {
    let known = this.#viewers.get(viewer)
    if (!known || known.size + found.size > STATUSES) this.#viewers.set(viewer, (known = new Map()))
    for (const id of ids) known.set(intern(id), null)
    for (const [id, state] of found) known.set(id, state)
  }

  /** Drops all states of a viewer. */
  drop(viewer: Id): void {
    this.#viewers.delete(viewer)
    this.#markStale(viewer)
  }

  /** Drops a viewer's states of a status and of the one that it boosts. */
  dropOne(viewer: Id | null, status: Id | null, boosted: Id | null = null): void {
    if (viewer === null || status === null) return
    const known = this.#viewers.peek(viewer)
    known?.delete(status)
    if (boosted !== null) known?.delete(boosted)
    this.#markStale(viewer)
  }

  /** Drops all viewers' states of a status. */
  dropStatus(status: Id): void {
    for (const known of this.#viewers.values()) known.delete(status)
    this.#markStale()
  }

  clear(): void {
    this.#viewers.clear()
    this.#markStale()
  }

  #markStale(viewer?: Id): void {
    for (const load of this.#loads.keys()) if (viewer === undefined || load.viewer === viewer) load.stale = true
  }
}

function handlersOf(memory: StateMemory): EventHandlers {
  const dropPost = (event: EventOf<'status.created' | 'status.deleted'>): void =>
    memory.dropOne(event.actor_id, event.status_id, event.data.reblog_of_id)
  const followStanding = (event: EventOf<'account.changed' | 'user.changed'>): void => {
    if (changesVisibility(event)) memory.clear()
  }
  return {
    'status.created': dropPost,
    'status.deleted': dropPost,
    'status.updated': event => memory.dropStatus(event.status_id),
    'status.counted': event => memory.dropOne(event.actor_id, event.status_id),
    'status.pinned': event => memory.dropOne(event.actor_id, event.status_id),
    'interaction.changed': event => {
      if (event.data.change === 'mute') memory.drop(event.actor_id)
      else memory.dropOne(event.actor_id, event.status_id)
    },
    'relationship.changed': event => {
      memory.drop(event.actor_id)
      memory.drop(event.account_id)
    },
    'account.changed': followStanding,
    'user.changed': followStanding,
    'account.deleted': () => memory.clear(),
    'caches.cleared': () => memory.clear(),
  }
}

export const viewerStates: (services: Services) => ViewerStates = perServer(services => {
  const memory = new StateMemory()
  const subscription = onEvents(services.events.local$, handlersOf(memory))
  services.onClose(() => subscription.unsubscribe())

  /** Adds those that are in memory, and returns the ids of the others. */
  function addKnown(viewer: Id, ids: readonly Id[], states: Map<Id, ViewerState>): Id[] {
    const known = memory.of(viewer)
    const missing: Id[] = []
    for (const id of ids) {
      const state = known?.get(id)
      if (state) states.set(id, state)
      else if (state === undefined) missing.push(id)
    }
    return missing
  }

  function unknownOf(viewer: Id, ids: readonly Id[]): Id[] {
    const known = memory.of(viewer)
    return ids.filter(id => known?.get(id) === undefined)
  }

  return {
    async of(viewer, ids, find = missing => findStates(services, viewer, missing)) {
      const states = new Map<Id, ViewerState>()
      let missing = addKnown(viewer, ids, states)
      const loading = missing.length > 0 ? memory.loading(viewer, missing) : undefined
      if (loading) {
        await loading
        missing = addKnown(viewer, missing, states)
      }
      if (missing.length > 0) {
        const found = await memory.load(viewer, missing, () => find(missing))
        for (const id of missing) {
          const state = found.get(id)
          if (state) states.set(id, state)
        }
      }
      return states
    },
    prefetch(viewer, ids) {
      const missing = unknownOf(viewer, ids)
      // Whoever asks for them meets the errors.
      if (missing.length > 0)
        memory.load(viewer, missing, () => findStates(services, viewer, missing)).catch(() => undefined)
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
