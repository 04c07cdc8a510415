import type { Id } from '../../core/id.ts'
import { param } from '../../platform/http/index.ts'
import type { Translator } from '../../platform/i18n/index.ts'
import { href, pageLinks, type Html } from '../../platform/ui/index.ts'

/** The number of entries on a page of the staff's lists. */
const PAGE_SIZE = 40

/** The parameters of a list that is paged by the ids of its entries. */
export const cursors = { max_id: param.cursor(), min_id: param.cursor() } as const

export interface Cursors {
  readonly max_id?: Id | undefined
  readonly min_id?: Id | undefined
}

/** The range of a page, plus one entry to detect whether the list continues. */
export const toRange = ({ max_id, min_id }: Cursors) => ({ max_id, min_id, limit: PAGE_SIZE + 1 })

/** One page of a list, and the links to the adjacent pages. */
export interface IdPage<T> {
  readonly rows: readonly T[]
  readonly links: Html | null
}

/**
 * Cuts the rows of `toRange` to one page.
 * @param rows newest first
 * @param path the path of the list, with the query parameters that its links keep
 */
export function toIdPage<T extends { readonly id: Id }>(
  translator: Translator,
  [path, parameters]: readonly [path: string, kept: Readonly<Record<string, string | number | undefined>>],
  rows: readonly T[],
  { max_id, min_id }: Cursors,
): IdPage<T> {
  const hasMore = rows.length > PAGE_SIZE
  const page = min_id === undefined ? rows.slice(0, PAGE_SIZE) : rows.slice(hasMore ? 1 : 0)
  const [first, last] = [page[0], page.at(-1)]
  const hasNewer = min_id === undefined ? max_id !== undefined : hasMore
  const hasOlder = min_id === undefined ? hasMore : true
  return {
    rows: page,
    links: pageLinks(translator, {
      newer: hasNewer ? href(path, first ? { ...parameters, min_id: first.id } : parameters) : undefined,
      older: hasOlder && last ? href(path, { ...parameters, max_id: last.id }) : undefined,
    }),
  }
}
