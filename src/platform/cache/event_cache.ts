import { LRUCache } from 'lru-cache'
import type { Subscription } from 'rxjs'
import type { Id } from '../../core/id.ts'
import { intern } from '../../core/interner.ts'
import type { EventKind, EventOf, LoggedEvent } from '../events/index.ts'
import type { Services } from '../services.ts'
import { shareOf, type CacheName } from './shares.ts'
import { weigh } from './weigh.ts'

/**
 * Caches values by id, or by another key, until an event drops them: mostly the part of an entity
 * that is the same for every viewer. Overlapping loads are merged. A value that is dropped while it
 * is being loaded is loaded again, so that an older read never hides an acknowledged write.
 */
export interface EventCache<T> {
  /** The values of these ids; ids that do not exist are missing from the map. */
  get(ids: Iterable<Id>): Promise<Map<Id, T>>
  one(id: Id): Promise<T | undefined>
  /** The value, if it is in memory. */
  peek(id: Id): T | undefined
  /** For values that expire without an event. */
  drop(id: Id): void
  clear(): void
  readonly size: number
  /** The approximate size of the stored values. */
  readonly sizeBytes: number
}

/** What an event drops: these ids, or all. */
type Dropped = readonly (Id | null)[] | 'all'

/** What events of each kind drop. */
export type EventDrops = { readonly [K in EventKind]?: 'all' | ((event: EventOf<K>) => Dropped) }

export interface EventCacheOptions<T> {
  /** Selects the cache's share of memory and its name in the metrics. */
  name: CacheName
  /**
   * How many copies of a value are in memory in all, when whole entities that contain it are cached
   * too.
   */
  copies?: number
  /** Loads many at once; ids that do not exist are omitted. */
  load: (ids: Id[]) => Promise<ReadonlyMap<Id, T>>
  drops: EventDrops
}

/**
 * The cost of an entry beside the value and its id: its slots in the map and in the order of
 * use.
 */
const ENTRY_BYTES = 100

/** What a cache needs of a server. */
export type CacheServices = Pick<Services, 'config' | 'metrics' | 'onClose'> & {
  readonly events: Pick<Services['events'], 'invalidations$'>
}

/**
 * Creates a cache that follows the event log until the server stops. It is also emptied when an
 * operator clears all caches.
 */
export function eventCache<T extends object>(services: CacheServices, options: EventCacheOptions<T>): EventCache<T> {
  const cache = createCache(services, options)
  const subscription = follow(cache, options.drops, services.events)
  services.onClose(() => subscription.unsubscribe())
  return cache
}

function follow(
  cache: Pick<EventCache<object>, 'clear' | 'drop'>,
  drops: EventDrops,
  { invalidations$ }: CacheServices['events'],
): Subscription {
  function drop<K extends EventKind>(kind: K, event: EventOf<K>): void {
    const dropped = drops[kind]
    if (dropped === undefined) return
    const ids: Dropped = typeof dropped === 'function' ? dropped(event) : 'all'
    if (ids === 'all') cache.clear()
    else for (const id of ids) if (id !== null) cache.drop(id)
  }
  return invalidations$.subscribe((event: LoggedEvent) => {
    if (event.kind === 'caches.cleared' && event.data.change === 'all') cache.clear()
    drop(event.kind, event)
  })
}

function createCache<T extends object>(
  { config, metrics }: Pick<Services, 'config' | 'metrics'>,
  options: EventCacheOptions<T>,
): EventCache<T> {
  const { copies = 1 } = options
  const limitBytes = shareOf(options.name, config)
  const cache = new LRUCache<Id, T>({
    maxSize: limitBytes,
    sizeCalculation: (value, id) => ENTRY_BYTES + id.length + weigh(value) * copies,
  })
  let hits = 0
  let misses = 0
  metrics.cache(options.name, () => ({ limitBytes, sizeBytes: cache.calculatedSize, size: cache.size, hits, misses }))
  const loading = new Map<Id, Promise<T | undefined>>()
  let requested: Id[] = []
  let turn: Promise<ReadonlyMap<Id, T>> | undefined

  /**
   * Loads together all ids that are requested before the callbacks of this event-loop turn have
   * run.
   */
  async function loadTurn(): Promise<ReadonlyMap<Id, T>> {
    await new Promise<void>(resolve => process.nextTick(resolve))
    const ids = requested
    requested = []
    turn = undefined
    return options.load(ids)
  }

  function load(ids: Id[]): void {
    requested.push(...ids)
    const loaded = (turn ??= loadTurn())
    for (const id of ids) {
      const request: Promise<T | undefined> = loaded.then(
        found => {
          const value = found.get(id)
          // If an event dropped the id during the load, the result may be older than the write: it
          // is not stored.
          if (loading.get(id) === request) {
            loading.delete(id)
            if (value) cache.set(intern(id), value)
          }
          return value
        },
        (error: unknown) => {
          if (loading.get(id) === request) loading.delete(id)
          throw error
        },
      )
      loading.set(id, request)
      request.catch(() => undefined)
    }
  }

  async function get(ids: Iterable<Id>): Promise<Map<Id, T>> {
    const found = new Map<Id, T>()
    let missing: Id[] | undefined
    for (const id of ids) {
      const value = cache.get(id)
      if (value) found.set(id, value)
      else (missing ??= []).push(id)
    }
    hits += found.size
    misses += missing?.length ?? 0
    if (!missing) return found
    const notLoading = missing.filter((id, index) => !loading.has(id) && missing.indexOf(id) === index)
    if (notLoading.length > 0) load(notLoading)
    const waited = missing.map(async id => [id, await loading.get(id)] as const)
    for (const [id, value] of await Promise.all(waited)) if (value) found.set(id, value)
    return found
  }

  return {
    get,
    async one(id) {
      const value = cache.get(id)
      if (!value) return (await get([id])).get(id)
      hits += 1
      return value
    },
    peek(id) {
      const value = cache.get(id)
      if (value) hits += 1
      return value
    },
    drop(id) {
      cache.delete(id)
      loading.delete(id)
    },
    clear() {
      cache.clear()
      loading.clear()
    },
    get size() {
      return cache.size
    },
    get sizeBytes() {
      return cache.calculatedSize
    },
  }
}
