import { c, query, type Runner } from '../database/index.ts'
import type { LoggedEvent } from './catalogue.ts'
import type { Id } from '../../core/id.ts'
import { compareCursors, splitCursor, type Cursor } from './cursor.ts'

const replay = query(
  'platform/events/replay',
  {
    txid: c.xid8,
    id: c.bigint,
    last_txid: c.xid8,
    last_id: c.bigint,
    kinds: c.nullable(c.texts),
    accounts: c.nullable(c.ids),
  },
  { log: c.json<LoggedEvent[]>(), reached: c.nullable(c.text), more: c.boolean },
)
const covers = query('platform/events/covers', { txid: c.xid8, id: c.bigint, keep_ms: c.float }, { covered: c.boolean })

/**
 * Leaves out events that a resuming client cannot have missed. Both conditions must hold; an absent
 * one admits all.
 */
export interface ReplayFilter {
  readonly kinds?: readonly string[]
  /** The accounts who acted, or who are concerned. */
  readonly accounts?: readonly Id[]
}

/** Pages of events, each read on demand. No page is empty. */
export type Pages = AsyncGenerator<readonly LoggedEvent[], void, void>

/** The events after `after` up to and including `last`, in order. */
export async function* replayLog(database: Runner, after: Cursor, last: Cursor, filter: ReplayFilter = {}): Pages {
  const { txid: last_txid, id: last_id } = splitCursor(last)
  const kinds = filter.kinds ? [...filter.kinds] : null
  const accounts = filter.accounts ? [...filter.accounts] : null
  let cursor = after
  while (compareCursors(cursor, last) < 0) {
    const page = await database.one(replay, { ...splitCursor(cursor), last_txid, last_id, kinds, accounts })
    if (!page) return
    if (page.log.length > 0) yield page.log
    if (!page.more || page.reached === null) return
    cursor = page.reached
  }
}

/**
 * Whether the log has everything after the position, as far as events younger than `keepMs` are
 * concerned.
 */
export async function coversPosition(database: Runner, cursor: Cursor, keepMs: number): Promise<boolean> {
  const found = await database.one(covers, { ...splitCursor(cursor), keep_ms: keepMs })
  return found?.covered ?? false
}
