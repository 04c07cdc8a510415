import { LRUCache } from 'lru-cache'
import type { Subscription } from 'rxjs'
import type { Id } from '../../core/id.ts'
import { intern } from '../../core/interner.ts'
import type { EventKind, EventOf, LoggedEvent } from '../events/index.ts'
import type { Services } from '../services.ts'
import { Loader } from './loader.ts'
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
  /** The values of these ids in their order, undefined for ids that do not exist. */
  inOrder(ids: readonly Id[]): Promise<(T | undefined)[]>
  /** The value, if it is in memory. */
  peek(id: Id): T | undefined
  /** Whether the value is in memory; does not count as a use of it. */
  has(id: Id): boolean
  /** Starts loading the value if it is not in memory. */
  prefetch(id: Id): void
  /**
   * Runs a write whose result contains what would be loaded: `store` keeps the value, unless an
   * event that came since the beginning of the write dropped it.
   */
  during<R>(write: (store: (id: Id, value: T) => void) => Promise<R>): Promise<R>
  /** For values that expire without an event. */
  drop(id: Id): void
  clear(): void
  readonly size: number
  /** The approximate size of the stored values. */
  readonly sizeBytes: number
}

/** The ids that an event drops, or all. */
type Dropped = readonly (Id | null)[] | 'all'

/** The values that each kind of event drops. */
export type EventDrops = { readonly [K in EventKind]?: 'all' | ((event: EventOf<K>) => Dropped) }

export interface EventCacheOptions<T> {
  /** Selects the cache's share of memory and its name in the metrics. */
  name: CacheName
  /**
   * The approximate memory of a value in bytes; by default with everything that it refers to, as if
   * nothing else referred to that.
   */
  weigh?: (value: T) => number
  /** Loads many at once; ids that do not exist are omitted. */
  load: (ids: Id[]) => Promise<ReadonlyMap<Id, T>>
  drops: EventDrops
  /**
   * Instead of a drop: the id of the value that an event changes, and the changed value; undefined
   * when the event does not contain enough.
   */
  updates?: EventUpdates<T>
}

/** The values that each kind of event changes. */
export type EventUpdates<T> = { readonly [K in EventKind]?: (event: EventOf<K>) => Update<T> | undefined }

interface Update<T> {
  readonly id: Id
  /** The same value when it contains the change already. */
  readonly change: (value: T) => T
}

/**
 * The memory of an entry in addition to the value and its id: its slots in the map and in the order
 * of use.
 */
const ENTRY_BYTES = 100

/** The parts of a server that a cache needs. */
export type CacheServices = Pick<Services, 'config' | 'metrics' | 'onClose'> & {
  readonly events: Pick<Services['events'], 'invalidations$'>
}

/**
 * Creates a cache that follows the event log until the server stops. It is also emptied when an
 * operator clears all caches.
 */
export function eventCache<T extends object>(services: CacheServices, options: EventCacheOptions<T>): EventCache<T> {
  const cache = createCache(services, options)
  const subscription = follow(cache, options, services.events)
  services.onClose(() => subscription.unsubscribe())
  return cache
}

function follow<T extends object>(
  cache: InternalCache<T>,
  { drops, updates = {} }: Pick<EventCacheOptions<T>, 'drops' | 'updates'>,
  { invalidations$ }: CacheServices['events'],
): Subscription {
  function drop<K extends EventKind>(kind: K, event: EventOf<K>): void {
    const update = updates[kind]?.(event)
    if (update) {
      cache.update(update)
      return
    }
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

interface InternalCache<T> extends EventCache<T> {
  /** Changes a value that is in memory; one that is being loaded is not stored. */
  update(update: Update<T>): void
}

/** The writes that are under way, and what events have dropped during each. */
class Writes {
  /** Undefined after all were dropped. */
  readonly #open = new Set<{ dropped: Set<Id> | undefined }>()

  async run<T, R>(
    write: (store: (id: Id, value: T) => void) => Promise<R>,
    store: (id: Id, value: T) => void,
  ): Promise<R> {
    const open: { dropped: Set<Id> | undefined } = { dropped: new Set() }
    this.#open.add(open)
    try {
      return await write((id, value) => {
        if (open.dropped?.has(id) === false) store(id, value)
      })
    } finally {
      this.#open.delete(open)
    }
  }

  drop(id: Id): void {
    for (const { dropped } of this.#open) dropped?.add(id)
  }

  clear(): void {
    for (const open of this.#open) open.dropped = undefined
  }
}

/** Reads from memory, and loads the rest. */
class Reads<T extends object> {
  hits = 0
  misses = 0
  readonly #cache: LRUCache<Id, T>
  readonly #loader: Loader<T>

  constructor(cache: LRUCache<Id, T>, loader: Loader<T>) {
    this.#cache = cache
    this.#loader = loader
  }

  peek(id: Id): T | undefined {
    const value = this.#cache.get(id)
    if (value) this.hits += 1
    return value
  }

  async get(ids: Iterable<Id>): Promise<Map<Id, T>> {
    const found = new Map<Id, T>()
    let missing: Id[] | undefined
    for (const id of ids) {
      const value = this.peek(id)
      if (value) found.set(id, value)
      else (missing ??= []).push(id)
    }
    if (!missing) return found
    const loaded: (T | undefined)[] = []
    await this.#fill(missing, loaded)
    for (const [at, id] of missing.entries()) {
      const value = loaded[at]
      if (value) found.set(id, value)
    }
    return found
  }

  async inOrder(ids: readonly Id[]): Promise<(T | undefined)[]> {
    const values = ids.map(id => this.peek(id))
    if (values.includes(undefined)) await this.#fill(ids, values)
    return values
  }

  #fill(ids: readonly Id[], values: (T | undefined)[]): Promise<void> {
    for (const at of ids.keys()) if (values[at] === undefined) this.misses += 1
    return this.#loader.fill(ids, values)
  }
}

function createCache<T extends object>(
  { config, metrics }: Pick<Services, 'config' | 'metrics'>,
  options: EventCacheOptions<T>,
): InternalCache<T> {
  const limitBytes = shareOf(options.name, config)
  const weighValue = options.weigh ?? weigh
  const cache = new LRUCache<Id, T>({
    maxSize: limitBytes,
    sizeCalculation: (value, id) => ENTRY_BYTES + id.length + weighValue(value),
  })
  const loader = new Loader(options.load, (id, value) => void cache.set(intern(id), value))
  const reads = new Reads(cache, loader)
  metrics.cache(options.name, () => {
    const { hits, misses } = reads
    return { limitBytes, sizeBytes: cache.calculatedSize, size: cache.size, hits, misses }
  })

  const writes = new Writes()

  const drop = (id: Id): void => {
    cache.delete(id)
    loader.drop(id)
    writes.drop(id)
  }

  return {
    get: ids => reads.get(ids),
    inOrder: ids => reads.inOrder(ids),
    during: write => writes.run(write, (id, value) => void cache.set(intern(id), value)),
    update({ id, change }) {
      loader.drop(id)
      writes.drop(id)
      const value = cache.peek(id)
      const changed = value && change(value)
      if (changed && changed !== value) cache.set(intern(id), changed)
    },
    one: async id => reads.peek(id) ?? (await reads.get([id])).get(id),
    peek: id => reads.peek(id),
    has: id => cache.has(id),
    prefetch(id) {
      if (!cache.has(id)) loader.start(id)
    },
    drop,
    clear() {
      cache.clear()
      loader.clear()
      writes.clear()
    },
    get size() {
      return cache.size
    },
    get sizeBytes() {
      return cache.calculatedSize
    },
  }
}
