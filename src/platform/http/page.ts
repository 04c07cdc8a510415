import type { Id } from '../../core/id.ts'
import { Response, JSON_TYPE, type Json } from './response.ts'
import type { Request } from './request.ts'

/** The requested part of a list. */
export interface Range {
  limit: number
  max_id?: Id | undefined
  since_id?: Id | undefined
  min_id?: Id | undefined
}

/** The page as parameters of statements that page by id; a statement without `min_id` omits it. */
export const rangeParameters = ({ limit, max_id, since_id, min_id }: Range) => ({
  max_id: max_id ?? null,
  since_id: since_id ?? null,
  min_id: min_id ?? null,
  limit,
})

export interface PageOptions {
  /**
   * The parameter of the newer page: `min_id` for timelines, `since_id` for lists of relationships.
   */
  prev?: 'min_id' | 'since_id'
  /** Parameters that the links repeat in addition to `limit`. */
  keep?: readonly string[]
  /** Whether a page that is not full also has a `next` link, as in timelines. */
  alwaysNext?: boolean
}

/**
 * Responds with a page of a list and its Link header.
 * @param items the rendered entities, newest first
 * @param cursors the ids for the links, of the first and last record; absent when the page is empty
 */
export function page(
  items: Json,
  cursors: { first: Id; last: Id; count: number } | undefined,
  request: Request,
  range: Range,
  options: PageOptions = {},
): Response {
  if (!cursors || range.limit === 0) return new Response(200, JSON_TYPE, items)
  const kept = keptParameters(request, options)
  const links: string[] = []
  if (cursors.count >= range.limit || options.alwaysNext === true)
    links.push(link(request, kept, 'max_id', cursors.last, 'next'))
  links.push(link(request, kept, options.prev ?? 'min_id', cursors.first, 'prev'))
  return new Response(200, JSON_TYPE, items, { Link: links.join(', ') })
}

/** The cursors for `page` from rows in the page's order. */
export function cursorsOf<T>(
  rows: readonly T[],
  id: (row: T) => Id,
): { first: Id; last: Id; count: number } | undefined {
  const first = rows[0]
  const last = rows.at(-1)
  return first === undefined || last === undefined
    ? undefined
    : { first: id(first), last: id(last), count: rows.length }
}

export interface OffsetOptions extends Pick<PageOptions, 'keep'> {
  /** The smallest offset with a `prev` link, default 1. */
  prevFrom?: number
}

/**
 * Responds with a page of a list that is paged by offset.
 * @param more whether there is another page after it
 */
export function offsetPage(
  items: Json,
  more: boolean,
  request: Request,
  { limit, offset }: { limit: number; offset: number },
  options: OffsetOptions = {},
): Response {
  const links: string[] = []
  const kept = keptParameters(request, options)
  const to = (start: number, rel: string): number => links.push(link(request, kept, 'offset', String(start), rel))
  if (limit > 0 && more) to(offset + limit, 'next')
  if (limit > 0 && offset >= (options.prevFrom ?? 1)) to(Math.max(0, offset - limit), 'prev')
  return new Response(200, JSON_TYPE, items, links.length > 0 ? { Link: links.join(', ') } : {})
}

/** The parameters that the links of a page repeat. */
function keptParameters(request: Request, { keep = [] }: PageOptions): URLSearchParams {
  const kept = new URLSearchParams()
  if (request.query === '') return kept
  const sent = new URLSearchParams(request.query)
  for (const name of ['limit', ...keep]) {
    for (const value of sent.getAll(name)) kept.append(name, value)
    for (const value of sent.getAll(`${name}[]`)) kept.append(`${name}[]`, value)
  }
  return kept
}

function link(request: Request, kept: URLSearchParams, cursor: string, value: string, rel: string): string {
  const parameters = new URLSearchParams(kept)
  parameters.set(cursor, value)
  parameters.sort()
  return `<${request.origin}${request.path}?${parameters.toString()}>; rel="${rel}"`
}
