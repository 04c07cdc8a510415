import { isConnectionLost } from './failures.ts'

/** Most that go together: longer transactions would hold the event log back. */
const MAX_COUNT = 50

/** How work is done for one, and for several in one transaction. */
export interface Batcher<T, R> {
  /** One statement for several; resolves to a row for each that has a result, with its place among the items (from 1). */
  readonly all: (items: readonly T[]) => Promise<readonly (R & { readonly place: number })[]>
  /** For one alone, when `all` is not the best for that. */
  readonly one?: (item: T) => Promise<R | undefined>
}

interface Waiting<T, R> {
  readonly item: T
  resolve(result: R | undefined): void
  reject(error: unknown): void
}

/**
 * Does work for many callers at once in as few transactions as it takes: who comes while one is under way goes together with all who come
 * meanwhile, in the next. So nobody waits for company, and the more there are the less each costs: a commit is one write to disk, however
 * much it holds. When the statement for all fails, each is done by itself, so that one cannot spoil the others' work; unless the
 * connection went, because then nobody knows what has been committed.
 * @returns does the work for one; resolves to its row, if it has one
 */
export function createBatcher<T, R>({ all, ...given }: Batcher<T, R>): (item: T) => Promise<R | undefined> {
  const one = given.one ?? (async (item: T): Promise<R | undefined> => (await all([item]))[0])
  let waiting: Waiting<T, R>[] = []
  let underWay = false

  async function commit(group: readonly Waiting<T, R>[]): Promise<void> {
    const [first] = group
    if (first && group.length === 1) {
      await one(first.item).then(first.resolve, first.reject)
      return
    }
    try {
      const rows = new Map((await all(group.map(({ item }) => item))).map(row => [row.place, row]))
      for (const [at, { resolve }] of group.entries()) resolve(rows.get(at + 1))
    } catch (error) {
      if (isConnectionLost(error)) for (const { reject } of group) reject(error)
      else await Promise.all(group.map(({ item, resolve, reject }) => one(item).then(resolve, reject)))
    }
  }

  async function work(): Promise<void> {
    underWay = true
    while (waiting.length > 0) {
      const group = waiting.slice(0, MAX_COUNT)
      waiting = waiting.slice(MAX_COUNT)
      await commit(group)
    }
    underWay = false
  }

  return item =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject })
      if (!underWay) void work()
    })
}
