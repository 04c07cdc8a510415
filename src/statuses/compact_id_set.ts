import type { Id } from '../core/id.ts'

const EMPTY = 0

/**
 * A set of ids that stores only 32-bit hashes: at most 16 bytes an id, where a Set takes 80. It may
 * contain a false positive (for 400 ids one in 10 million), so a positive result must be verified
 * elsewhere.
 */
export class CompactIdSet {
  /** Open addressing: at least half of the slots are empty. */
  readonly #slots: Uint32Array

  constructor(ids: readonly Id[]) {
    this.#slots = new Uint32Array(2 ** Math.ceil(Math.log2(2 * ids.length + 1)))
    for (const id of ids) {
      const hash = hashOf(id)
      this.#slots[this.#slotOf(hash)] = hash
    }
  }

  get sizeBytes(): number {
    return this.#slots.byteLength
  }

  mayHave(id: Id): boolean {
    return this.#slots[this.#slotOf(hashOf(id))] !== EMPTY
  }

  /** The slot of this hash, or the empty one where it belongs. */
  #slotOf(hash: number): number {
    const last = this.#slots.length - 1
    let slot = hash & last
    for (let found = this.#slots[slot]; found !== EMPTY && found !== hash; found = this.#slots[slot]) {
      slot = (slot + 1) & last
    }
    return slot
  }
}

/** FNV-1a with a final mixing step, since neighbouring ids differ in few bits; never `EMPTY`. */
function hashOf(id: Id): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < id.length; at += 1) hash = Math.imul(hash ^ id.charCodeAt(at), 0x01000193)
  hash ^= hash >>> 15
  return hash >>> 0 || 1
}
