import type { Id } from '../../core/id.ts'

/**
 * Iterates over the rows of a paginated query; `next` loads the page after an id, `idOf` returns a
 * row's id.
 */
export async function* readOn<T>(next: (after: Id) => Promise<readonly T[]>, idOf: (row: T) => Id): AsyncGenerator<T> {
  for (let after: Id = '0'; ;) {
    const rows = await next(after)
    yield* rows
    const last = rows.at(-1)
    if (last === undefined) return
    after = idOf(last)
  }
}
