import type { Id } from '../../core/id.ts'

/** The ids that are loaded together, and their values. */
interface Batch<T> {
  readonly ids: Id[]
  readonly values: Promise<ReadonlyMap<Id, T>>
}

/** Loads values in batches; each id is loaded once, however many wait for it. */
export class Loader<T extends object> {
  readonly #load: (ids: Id[]) => Promise<ReadonlyMap<Id, T>>
  readonly #store: (id: Id, value: T) => void
  /** The batch that loads each id, as long as no event has dropped the id. */
  readonly #loading = new Map<Id, Batch<T>>()
  /** The batch that still takes ids. */
  #open: Batch<T> | undefined

  /** @param store called with each loaded value that no event dropped during the load */
  constructor(load: (ids: Id[]) => Promise<ReadonlyMap<Id, T>>, store: (id: Id, value: T) => void) {
    this.#load = load
    this.#store = store
  }

  /** Fills the gaps of `values` with the values of the ids at the same places. */
  async fill(ids: readonly Id[], values: (T | undefined)[]): Promise<void> {
    // A promise for each batch and none for each id: feeds ask for 1,600 ids at once.
    const batches = ids.map((id, at) =>
      values[at] === undefined ? (this.#loading.get(id) ?? this.#add(id)) : undefined,
    )
    const loaded = new Map<Batch<T> | undefined, ReadonlyMap<Id, T> | undefined>()
    for (const batch of new Set(batches)) loaded.set(batch, await batch?.values)
    for (const [at, id] of ids.entries()) values[at] ??= loaded.get(batches[at])?.get(id)
  }

  /** Starts loading the value; whoever asks for it meanwhile meets the errors. */
  start(id: Id): void {
    if (!this.#loading.has(id)) this.#add(id)
  }

  drop(id: Id): void {
    this.#loading.delete(id)
  }

  clear(): void {
    this.#loading.clear()
  }

  #add(id: Id): Batch<T> {
    const batch = (this.#open ??= this.#begin())
    batch.ids.push(id)
    this.#loading.set(id, batch)
    return batch
  }

  #begin(): Batch<T> {
    const ids: Id[] = []
    const batch: Batch<T> = { ids, values: this.#run(ids, id => this.#finish(id, batch)) }
    batch.values.catch(() => undefined)
    return batch
  }

  /**
   * Loads together all ids that are requested before the callbacks of this event-loop turn have
   * run.
   * @param finish called for each id; whether its value may be stored
   */
  async #run(ids: Id[], finish: (id: Id) => boolean): Promise<ReadonlyMap<Id, T>> {
    await new Promise<void>(resolve => process.nextTick(resolve))
    this.#open = undefined
    try {
      const values = await this.#load(ids)
      for (const id of ids) {
        const value = finish(id) ? values.get(id) : undefined
        if (value) this.#store(id, value)
      }
      return values
    } catch (error) {
      ids.forEach(finish)
      throw error
    }
  }

  /**
   * The batch no longer loads the id. If an event dropped the id during the load, the result may be
   * older than the write: it must not be stored, and the id may be in a later batch.
   */
  #finish(id: Id, batch: Batch<T>): boolean {
    return this.#loading.get(id) === batch && this.#loading.delete(id)
  }
}
