import type { Id } from '../core/id.ts'

const EMPTY = 0

/**
 * A set of ids that stores only 32-bit hashes: at most 16 bytes an id, where a Set takes 80. It may
 * contain a false positive (for 400 ids one in 10 million), so a positive result must be verified
 * elsewhere.
 */
export class CompactIdSet {
  /** Open addressing: at least half of the slots are empty. */
  readonly #places: Uint32Array

  constructor(ids: readonly Id[]) {
    this.#places = new Uint32Array(2 ** Math.ceil(Math.log2(2 * ids.length + 1)))
    for (const id of ids) {
      const hash = hashOf(id)
      this.#places[this.#placeOf(hash)] = hash
    }
  }

  get sizeBytes(): number {
    return this.#places.byteLength
  }

  mayHave(id: Id): boolean {
    return this.#places[this.#placeOf(hashOf(id))] !== EMPTY
  }

  /** The slot of this hash, or the empty one where it belongs. */
  #placeOf(hash: number): number {
    const last = this.#places.length - 1
    let place = hash & last
    for (let found = this.#places[place]; found !== EMPTY && found !== hash; found = this.#places[place]) {
      place = (place + 1) & last
    }
    return place
  }
}

/** FNV-1a with a final mixing step, since neighbouring ids differ in few bits; never `EMPTY`. */
function hashOf(id: Id): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < id.length; at += 1) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193)
  hash ^= hash >>> 15
  return hash >>> 0 || 1
}
