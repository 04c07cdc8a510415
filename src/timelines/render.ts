import { list, page, type Response, type Context, type Json, type Range } from '../platform/http/index.ts'
import { param } from '../platform/http/param/index.ts'
import type { Id } from '../core/id.ts'
import { prefetchViewer, renderPage } from '../statuses/index.ts'

/** The paging parameters of every timeline. */
export const RANGE = {
  max_id: param.cursor({ description: 'older than this' }),
  since_id: param.cursor({ description: 'newer than this, the newest of them' }),
  min_id: param.cursor({ description: 'newer than this, the next of them' }),
  limit: param.limit(20),
} as const

interface TimelineOptions {
  /** Parameters that the links repeat. */
  readonly keep?: readonly string[]
  /** As for `RenderOptions`. */
  readonly visible?: boolean
}

/** The ids of a page of a timeline. */
export interface TimelinePage {
  /** Newest first. */
  readonly ids: readonly Id[]
  /** The last post that was read, when reading stopped early: there may be more beyond it. */
  readonly stoppedAt?: Id | undefined
}

/** After this many pages without a visible status, the response is empty. */
const TRIES = 5

/**
 * Responds with a page of a timeline, without the statuses that the caller may no longer see. When
 * none of a page is visible the next page is sent, because an empty page tells clients that the
 * timeline ends.
 * @param read gives the page of a range
 */
export async function renderTimeline(
  context: Context,
  range: Range,
  read: (range: Range) => Promise<TimelinePage>,
  { keep = [], visible = false }: TimelineOptions = {},
): Promise<Response> {
  if (context.viewer) prefetchViewer(context, context.viewer.id)
  let items: Json[] = []
  let found: TimelinePage = { ids: [] }
  let current = range
  const isUp = range.min_id !== undefined
  for (let left = range.limit === 0 ? 0 : TRIES; left > 0; left--) {
    found = await read(current)
    items = await renderPage(context, context.viewer, found.ids, { timeline: true, visible })
    if (items.length > 0 || (found.ids.length < range.limit && found.stoppedAt === undefined)) break
    const end = found.stoppedAt ?? (isUp ? found.ids[0] : found.ids.at(-1))
    current = isUp ? { ...current, min_id: end } : { ...current, max_id: end }
  }
  const { ids, stoppedAt } = found
  const first = (isUp ? stoppedAt : undefined) ?? ids[0]
  const last = (isUp ? undefined : stoppedAt) ?? ids.at(-1)
  const cursors = first === undefined || last === undefined ? undefined : { first, last, count: ids.length }
  return page(list(items), items.length === 0 ? undefined : cursors, context.request, range, { keep, alwaysNext: true })
}

/**
 * The bounds of a range for SQL: exclusive, and whether the page lies directly above the lower one.
 */
export function boundsOf(range: Range): { max_id: Id; lower: Id; above: boolean } {
  return {
    max_id: range.max_id ?? '9223372036854775807',
    lower: range.min_id ?? range.since_id ?? '0',
    above: range.min_id !== undefined,
  }
}
