import type { Id } from '../../core/id.ts'

/** Reads row after row of what a query gives page by page; `next` gives those after an id, `idOf` says which that of a row is. */
export async function* readOn<T>(next: (after: Id) => Promise<readonly T[]>, idOf: (row: T) => Id): AsyncGenerator<T> {
  for (let after: Id = '0'; ;) {
    const rows = await next(after)
    yield* rows
    const last = rows.at(-1)
    if (last === undefined) return
    after = idOf(last)
  }
}
