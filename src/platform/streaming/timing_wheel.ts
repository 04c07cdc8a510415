/** Calls back for each item once a turn: a few items at each tick instead of a timer for each. */
export class TimingWheel<T> {
  readonly #slots: readonly Set<T>[]
  readonly #slotOf = new Map<T, Set<T>>()
  readonly #due: (one: T) => void
  #entry = 0
  #now = 0

  /** @param ticks the number of ticks in a turn */
  constructor(ticks: number, due: (one: T) => void) {
    this.#slots = Array.from({ length: ticks }, () => new Set<T>())
    this.#due = due
  }

  /**
   * Spreads items evenly, even those added at the same time, so the first call may come sooner than
   * after a whole turn.
   */
  add(one: T): void {
    this.#entry = (this.#entry + 1) % this.#slots.length
    const slot = this.#slots[this.#entry]
    if (!slot) return
    slot.add(one)
    this.#slotOf.set(one, slot)
  }

  remove(one: T): void {
    this.#slotOf.get(one)?.delete(one)
    this.#slotOf.delete(one)
  }

  tick(): void {
    this.#now = (this.#now + 1) % this.#slots.length
    for (const one of this.#slots[this.#now] ?? []) this.#due(one)
  }

  *[Symbol.iterator](): Generator<T> {
    yield* this.#slotOf.keys()
  }

  get size(): number {
    return this.#slotOf.size
  }
}
