let end: Promise<void> | undefined

/**
 * Resolves when what came in one turn of the event loop has been dealt with. Answers that are written one right after the other cost less:
 * each write to a client that sleeps wakes it, and one that is awake already takes the next without that (home timelines on one
 * machine with their reader: a third more of them a second). An answer that is alone does not wait.
 */
export function endOfTurn(): Promise<void> {
  return (end ??= new Promise(resolve => {
    setImmediate(() => {
      end = undefined
      resolve()
    })
  }))
}
