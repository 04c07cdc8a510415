import type { LoggedEvent } from './catalogue.ts'
import { compareIds, type Id } from '../../core/id.ts'

/**
 * A position in the event log: `TXID-ID`, the transaction and the event after which a reader
 * continues. Clients receive it as the opaque id of a streamed event and resume by it. An id of 0
 * stands before all events of the transaction.
 */
export type Cursor = string

const CURSOR = /^(0|[1-9][0-9]{0,19})-(0|[1-9][0-9]{0,18})$/
const MAX_TXID = 2n ** 64n - 1n
const MAX_ID = 2n ** 63n - 1n

/** Parses a position from outside; undefined when the text is none. */
export function parseCursor(text: string): Cursor | undefined {
  const [, txid, id] = CURSOR.exec(text) ?? []
  if (txid === undefined || id === undefined) return undefined
  return BigInt(txid) <= MAX_TXID && BigInt(id) <= MAX_ID ? text : undefined
}

/** The two numbers of a position, as decimal strings. */
export function splitCursor(cursor: Cursor): { txid: string; id: Id } {
  const dash = cursor.indexOf('-')
  return { txid: cursor.slice(0, dash), id: cursor.slice(dash + 1) }
}

/** The position right after an event. */
export const cursorOf = (event: Pick<LoggedEvent, 'txid' | 'id'>): Cursor => `${event.txid}-${event.id}`

/** Negative when `a` comes first in the log, 0 when they are equal. */
export function compareCursors(a: Cursor, b: Cursor): number {
  const left = splitCursor(a)
  const right = splitCursor(b)
  return compareIds(left.txid, right.txid) || compareIds(left.id, right.id)
}
