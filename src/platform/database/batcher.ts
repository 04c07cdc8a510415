import { setImmediate } from 'node:timers/promises'
import { isConnectionLost } from './failures.ts'

/** The limit of a group: longer transactions would hold back the event log. */
const MAX_COUNT = 50

/** Runs one item, or several in one transaction. */
export interface Batcher<T, R> {
  /**
   * Runs several items in one statement; resolves to a row for each item that has a result, with
   * its place among the items (from 1).
   */
  readonly runMany: (items: readonly T[]) => Promise<readonly (R & { readonly place: number })[]>
  /** Runs a single item, when a special statement is faster than `runMany`. */
  readonly runOne?: (item: T) => Promise<R | undefined>
  /**
   * Runs the next transaction when it is its turn; items that arrive before share it. Default: at
   * once.
   */
  readonly turn?: Turn
}

type Turn = (work: () => Promise<void>) => Promise<void>

/** After what is under way in the event loop, so that its items share the transaction. */
export const afterPending: Turn = async work => {
  await setImmediate()
  await work()
}

interface Waiting<T, R> {
  readonly item: T
  resolve(result: R | undefined): void
  reject(error: unknown): void
}

/**
 * Groups the work of many callers into few transactions: items that arrive during a transaction
 * share the next one. A lone item is never delayed; under load the commit is shared, and a commit
 * is one write to disk, however much it contains. When the statement for a group fails, each item
 * runs alone, so that one cannot fail the others. When the connection was lost they are not
 * repeated, because it is unknown whether they were committed.
 * @returns a function that runs one item; it resolves to the item's row, if there is one
 */
export function createBatcher<T, R>({
  runMany,
  turn = work => work(),
  ...options
}: Batcher<T, R>): (item: T) => Promise<R | undefined> {
  const runOne = options.runOne ?? (async (item: T): Promise<R | undefined> => (await runMany([item]))[0])
  let waiting: Waiting<T, R>[] = []
  let running = false

  async function commit(group: readonly Waiting<T, R>[]): Promise<void> {
    const [first] = group
    if (first && group.length === 1) {
      await runOne(first.item).then(first.resolve, first.reject)
      return
    }
    try {
      const rows = new Map((await runMany(group.map(({ item }) => item))).map(row => [row.place, row]))
      for (const [at, { resolve }] of group.entries()) resolve(rows.get(at + 1))
    } catch (error) {
      if (isConnectionLost(error)) for (const { reject } of group) reject(error)
      else await Promise.all(group.map(({ item, resolve, reject }) => runOne(item).then(resolve, reject)))
    }
  }

  async function work(): Promise<void> {
    running = true
    while (waiting.length > 0)
      await turn(async () => {
        const group = waiting.slice(0, MAX_COUNT)
        waiting = waiting.slice(MAX_COUNT)
        await commit(group)
      })
    running = false
  }

  return item =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (!running) void work()
    })
}
