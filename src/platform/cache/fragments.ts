import { LRUCache } from 'lru-cache'
import type { Id } from '../../core/id.ts'
import { intern } from '../../core/interner.ts'
import type { Services } from '../services.ts'
import { shareOf, type CacheName } from './shares.ts'
import { weigh } from './weigh.ts'

/**
 * Caches the part of an entity that is the same for every viewer, until an event drops it.
 * Overlapping loads are merged. A fragment that is dropped while it is being loaded is loaded
 * again, so that an older read never hides an acknowledged write.
 */
export interface Fragments<T> {
  /** The fragments of these ids; ids that do not exist are missing from the map. */
  get(ids: Iterable<Id>): Promise<Map<Id, T>>
  one(id: Id): Promise<T | undefined>
  /** The fragment, if it is in memory. */
  peek(id: Id): T | undefined
  drop(id: Id): void
  clear(): void
  readonly size: number
  /** The approximate size of the stored fragments. */
  readonly sizeBytes: number
}

export interface FragmentsOptions<T> {
  /** Selects the cache's share of memory and its name in the metrics. */
  name: CacheName
  /**
   * How many copies of a fragment are in memory in all, when whole entities that contain it are
   * cached too.
   */
  copies?: number
  /** Loads many at once; ids that do not exist are omitted. */
  load: (ids: Id[]) => Promise<ReadonlyMap<Id, T>>
}

/**
 * The cost of an entry beside the fragment and its id: its slots in the map and in the order of
 * use.
 */
const ENTRY_BYTES = 100

export function createFragments<T extends object>(
  { config, metrics }: Pick<Services, 'config' | 'metrics'>,
  options: FragmentsOptions<T>,
): Fragments<T> {
  const { copies = 1 } = options
  const limitBytes = shareOf(options.name, config)
  const cache = new LRUCache<Id, T>({
    maxSize: limitBytes,
    sizeCalculation: (fragment, id) => ENTRY_BYTES + id.length + weigh(fragment) * copies,
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
          const fragment = found.get(id)
          // If an event dropped the id during the load, the result may be older than the write: it
          // is not stored.
          if (loading.get(id) === request) {
            loading.delete(id)
            if (fragment) cache.set(intern(id), fragment)
          }
          return fragment
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
      const fragment = cache.get(id)
      if (fragment) found.set(id, fragment)
      else (missing ??= []).push(id)
    }
    hits += found.size
    misses += missing?.length ?? 0
    if (!missing) return found
    const notLoading = missing.filter((id, index) => !loading.has(id) && missing.indexOf(id) === index)
    if (notLoading.length > 0) load(notLoading)
    const waited = missing.map(async id => [id, await loading.get(id)] as const)
    for (const [id, fragment] of await Promise.all(waited)) if (fragment) found.set(id, fragment)
    return found
  }

  return {
    get,
    async one(id) {
      const fragment = cache.get(id)
      if (!fragment) return (await get([id])).get(id)
      hits += 1
      return fragment
    },
    peek(id) {
      const fragment = cache.get(id)
      if (fragment) hits += 1
      return fragment
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
