/** Limits how much work runs at once, in all and for each owner. */
export interface Turns {
  /**
   * Resolves when the owner may begin. The owners who wait take turns, however many times each of
   * them waits.
   */
  enter(owner: string): Promise<void>
  /** Ends what `enter` began. */
  leave(owner: string): void
  /**
   * Lets others run while what `enter` began waits for something; it still counts for its owner.
   */
  pause(): void
  /** Resolves when it may go on after `pause`, before anything begins. */
  goOn(): Promise<void>
}

interface Line {
  running: number
  /** Begins what waits, in order. */
  readonly waiting: (() => void)[]
}

export function createTurns(limit: number, ownerLimit: number): Turns {
  const lines = new Map<string, Line>()
  /** The owners who have something to begin and may, in the order of their turns. */
  const ready = new Set<string>()
  /** Lets those go on that were paused, in order. */
  const paused: (() => void)[] = []
  let running = 0

  function lineOf(owner: string): Line {
    let line = lines.get(owner)
    if (!line) lines.set(owner, (line = { running: 0, waiting: [] }))
    return line
  }

  function note(owner: string, line: Line): void {
    if (line.waiting.length > 0 && line.running < ownerLimit) ready.add(owner)
    else if (line.waiting.length === 0 && line.running === 0) lines.delete(owner)
  }

  function beginNext(): void {
    while (running < limit && paused.length > 0) {
      running += 1
      paused.shift()?.()
    }
    // An owner who is added again meanwhile comes last.
    for (const owner of ready) {
      if (running >= limit) return
      ready.delete(owner)
      const line = lineOf(owner)
      running += 1
      line.running += 1
      line.waiting.shift()?.()
      note(owner, line)
    }
  }

  return {
    enter(owner) {
      const { promise, resolve } = Promise.withResolvers<void>()
      const line = lineOf(owner)
      line.waiting.push(resolve)
      note(owner, line)
      beginNext()
      return promise
    },
    leave(owner) {
      const line = lineOf(owner)
      running -= 1
      line.running -= 1
      note(owner, line)
      beginNext()
    },
    pause() {
      running -= 1
      beginNext()
    },
    goOn() {
      const { promise, resolve } = Promise.withResolvers<void>()
      paused.push(resolve)
      beginNext()
      return promise
    },
  }
}
