import { LRUCache } from 'lru-cache'
import type { Id } from '../../core/id.ts'
import { intern } from '../../core/interner.ts'
import type { Services } from '../services.ts'
import { shareOf, type CacheName } from './shares.ts'
import { weigh } from './weigh.ts'

/**
 * What is the same for every viewer of an entity, rendered once and kept until an event drops it.
 * Loads that overlap are merged; what is dropped while it is being loaded is loaded again, so that a write that has been
 * acknowledged is never hidden by an older read.
 */
export interface Fragments<T> {
  /** The fragments of these ids; those that do not exist are missing from the map. */
  get(ids: Iterable<Id>): Promise<Map<Id, T>>
  one(id: Id): Promise<T | undefined>
  /** What is in memory. */
  peek(id: Id): T | undefined
  drop(id: Id): void
  clear(): void
  readonly size: number
  /** What those that are kept take, about. */
  readonly sizeBytes: number
}

export interface FragmentsOptions<T> {
  /** Its share of memory, and what it is called in metrics. */
  name: CacheName
  /** How much there is of a fragment in all, when whole entities that are made of it are kept with it. */
  copies?: number
  /** Loads many at once; ids that do not exist are left out. */
  load: (ids: Id[]) => Promise<ReadonlyMap<Id, T>>
}

/** What an entry takes beside the fragment and its id: a place in the map and in the order of use. */
const ENTRY_BYTES = 100

export function createFragments<T extends object>(
  { config, metrics }: Pick<Services, 'config' | 'metrics'>,
  options: FragmentsOptions<T>,
): Fragments<T> {
  const { copies = 1 } = options
  const limitBytes = shareOf(options.name, config)
  const kept = new LRUCache<Id, T>({
    maxSize: limitBytes,
    sizeCalculation: (fragment, id) => ENTRY_BYTES + id.length + weigh(fragment) * copies,
  })
  let hits = 0
  let misses = 0
  metrics.cache(options.name, () => ({ limitBytes, sizeBytes: kept.calculatedSize, size: kept.size, hits, misses }))
  const loading = new Map<Id, Promise<T | undefined>>()
  let asked: Id[] = []
  let turn: Promise<ReadonlyMap<Id, T>> | undefined

  /** What is asked for until all callbacks of this turn of the event loop have run is loaded together. */
  async function loadTurn(): Promise<ReadonlyMap<Id, T>> {
    await new Promise<void>(resolve => process.nextTick(resolve))
    const ids = asked
    asked = []
    turn = undefined
    return options.load(ids)
  }

  function load(ids: Id[]): void {
    asked.push(...ids)
    const loaded = (turn ??= loadTurn())
    for (const id of ids) {
      const own: Promise<T | undefined> = loaded.then(
        found => {
          const fragment = found.get(id)
          // A drop in the meantime has taken the entry away: then the answer may be older than the write.
          if (loading.get(id) === own) {
            loading.delete(id)
            if (fragment) kept.set(intern(id), fragment)
          }
          return fragment
        },
        (error: unknown) => {
          if (loading.get(id) === own) loading.delete(id)
          throw error
        },
      )
      loading.set(id, own)
      own.catch(() => undefined)
    }
  }

  async function get(ids: Iterable<Id>): Promise<Map<Id, T>> {
    const found = new Map<Id, T>()
    let missing: Id[] | undefined
    for (const id of ids) {
      const fragment = kept.get(id)
      if (fragment) found.set(id, fragment)
      else (missing ??= []).push(id)
    }
    hits += found.size
    misses += missing?.length ?? 0
    if (!missing) return found
    const unasked = missing.filter((id, index) => !loading.has(id) && missing.indexOf(id) === index)
    if (unasked.length > 0) load(unasked)
    const waited = missing.map(async id => [id, await loading.get(id)] as const)
    for (const [id, fragment] of await Promise.all(waited)) if (fragment) found.set(id, fragment)
    return found
  }

  return {
    get,
    async one(id) {
      const fragment = kept.get(id)
      if (!fragment) return (await get([id])).get(id)
      hits += 1
      return fragment
    },
    peek(id) {
      const fragment = kept.get(id)
      if (fragment) hits += 1
      return fragment
    },
    drop(id) {
      kept.delete(id)
      loading.delete(id)
    },
    clear() {
      kept.clear()
      loading.clear()
    },
    get size() {
      return kept.size
    },
    get sizeBytes() {
      return kept.calculatedSize
    },
  }
}
