import { refreshRemoteReplies } from '../accounts/index.ts'
import { c, query, type Database, type Row } from '../platform/database/index.ts'
import { json, Json, list } from '../platform/http/response.ts'
import { operation } from '../platform/http/operation.ts'
import { compareIds, type Id } from '../core/id.ts'
import { statusMissing, STATUS_ID } from './status_response.ts'
import { renderStatuses } from './render.ts'
import { findVisible } from './visible.ts'

const findAncestors = query(
  'statuses/ancestors',
  { viewer: c.nullable(c.id), status: c.id, limit: c.integer },
  { id: c.id, bytes: c.integer },
)
const findDescendants = query(
  'statuses/descendants',
  { viewer: c.nullable(c.id), status: c.id, limit: c.integer, depth: c.integer },
  { id: c.id, parent_id: c.id, self_reply: c.boolean, bytes: c.integer, shown: c.boolean },
)

type Descendant = Row<typeof findDescendants.columns>

/** The most statuses around a status. */
export interface ThreadLimits {
  readonly ancestors: number
  readonly descendants: number
  readonly depth: number
  /**
   * Of the texts of all; the nearest statuses are shown. Other servers send texts of 300 KB, with
   * which the numbers alone allow a response of a gigabyte.
   */
  readonly bytes: number
}

const MIB = 1024 * 1024
const SIGNED_IN: ThreadLimits = { ancestors: 4096, descendants: 4096, depth: 4096, bytes: 8 * MIB }
const ANONYMOUS: ThreadLimits = { ancestors: 40, descendants: 60, depth: 20, bytes: 2 * MIB }

/** The thread around a status: ids in the order in which they are read. */
export interface Thread {
  readonly ancestors: readonly Id[]
  readonly descendants: readonly Id[]
}

/**
 * The statuses around one, as far as the viewer may see them. Each occurs once, also in a thread
 * that leads back to itself.
 */
export async function findThread(
  database: Database,
  viewer: Id | null,
  status: Id,
  limits: ThreadLimits,
): Promise<Thread> {
  const [above, below] = await Promise.all([
    database.run(findAncestors, { viewer, status, limit: limits.ancestors }),
    database.run(findDescendants, { viewer, status, limit: limits.descendants, depth: limits.depth }),
  ])
  // The status itself is among them in a thread that leads back to itself.
  const before = above.filter(row => row.id !== status)
  const nearestFirst = withinBytes(before.toReversed(), limits.bytes / 2)
  const left = limits.bytes - nearestFirst.reduce((sum, { bytes }) => sum + bytes, 0)
  const shown = withinBytes(
    below.filter(row => row.shown),
    left,
  )
  const ancestors = new Set(nearestFirst.toReversed().map(row => row.id))
  return { ancestors: [...ancestors], descendants: orderThread(status, below, new Set(shown.map(row => row.id))) }
}

/** The first rows whose texts have at most so many bytes in all. */
function withinBytes<T extends { readonly bytes: number }>(rows: readonly T[], bytes: number): readonly T[] {
  let left = bytes
  const end = rows.findIndex(row => (left -= row.bytes) < 0)
  return end < 0 ? rows : rows.slice(0, end)
}

export const showContext = operation({
  method: 'GET',
  path: '/api/v1/statuses/:id/context',
  auth: 'optional',
  scopes: ['read:statuses'],
  cache: 'public',
  cacheTags: ({ id }) => [id],
  summary: 'Show the thread around a status',
  params: { id: STATUS_ID },
  returns: 'Context',
  async handle({ id }, context) {
    const { viewer, database } = context
    const limits = viewer ? SIGNED_IN : ANONYMOUS
    const [entities, { ancestors, descendants }] = await Promise.all([
      findVisible(context, viewer, id),
      findThread(database, viewer?.id ?? null, id, limits),
    ])
    if (!entities) throw statusMissing()
    const headers = viewer && entities.is_remote ? await refreshRemoteReplies(context, id) : undefined
    const rendered = await renderStatuses(context, viewer, [...ancestors, ...descendants], { visible: true })
    const pick = (ids: readonly Id[]): Json => list(ids.flatMap(one => rendered.get(one) ?? []))
    const thread = ['{"ancestors":', ...pick(ancestors).pieces, ',"descendants":', ...pick(descendants).pieces, '}']
    return json(new Json(thread), 200, headers)
  },
})

/**
 * The descendants that are shown: depth first, siblings by id; then self-replies move to the front
 * and the rest keep their order. Iterative, because a thread may be as deep as it is long.
 */
function orderThread(root: Id, rows: readonly Descendant[], isShown: ReadonlySet<Id>): Id[] {
  const children = new Map<Id, Descendant[]>()
  for (const row of rows) {
    const siblings = children.get(row.parent_id)
    if (siblings) siblings.push(row)
    else children.set(row.parent_id, [row])
  }
  for (const siblings of children.values()) siblings.sort((a, b) => compareIds(b.id, a.id))
  const ordered: Descendant[] = []
  const seen = new Set([root])
  const waiting = [...(children.get(root) ?? [])]
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    if (seen.has(next.id)) continue
    seen.add(next.id)
    ordered.push(next)
    waiting.push(...(children.get(next.id) ?? []))
  }
  const shown = ordered.filter(row => isShown.has(row.id))
  return [...shown.filter(row => row.self_reply), ...shown.filter(row => !row.self_reply)].map(row => row.id)
}
