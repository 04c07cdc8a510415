import { compareIds } from '../../core/id.ts'
import { c, query, type Committed, type Database, type Runner } from '../database/index.ts'
import type { LoggedEvent } from './catalogue.ts'
import { createCoalescedTask } from './coalesced_task.ts'
import { compareCursors, cursorOf, splitCursor, type Cursor } from './cursor.ts'

const read = query(
  'platform/events/read',
  { txid: c.xid8, id: c.bigint },
  {
    log: c.json<LoggedEvent[]>(),
    ages_ms: c.json<number[]>(),
    more: c.boolean,
    settled: c.xid8,
    held_back: c.boolean,
    elsewhere: c.boolean,
  },
)
const end = query('platform/events/end', {}, { txid: c.xid8 })
const deleteForeignEvents = query('platform/events/delete_foreign_events', {}, { removed: c.integer })

/** A transaction that holds the log back for this long is logged. */
const LONG_HOLD_MS = 10_000

export interface Logger {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface ReaderOptions {
  readonly database: Database
  readonly logger: Logger
  /** The delay until the next read while an open transaction holds events back. */
  readonly heldBackMs: number
  /** The delay after an error. */
  readonly retryMs: number
  /** Receives each event once, in order. */
  readonly deliver: (event: LoggedEvent) => void
  /**
   * Called when the log was set back: what was read before may never have happened. It continues at
   * this position.
   */
  readonly onSetBack: (position: Cursor) => void
}

/** Reads the log from a position on, whenever it is triggered. */
export interface Reader {
  trigger(): void
  /**
   * Delivers what this process has just committed, after the work that waits for the commit. Reads
   * it from the log if it may have other events, or if events of earlier transactions may be
   * missing.
   */
  take(committed: Committed): void
  position(): Cursor
  /**
   * When the row of the event at the position was written, on the clock of `performance.now()`;
   * undefined before the first event.
   */
  writtenAt(): number | undefined
  statistics(): ReaderStatistics
  close(): Promise<void>
}

export interface ReaderStatistics {
  /** Events delivered. */
  readonly eventsRead: number
  /** Successful queries of the log. */
  readonly reads: number
  readonly readFailures: number
  /** The age of the oldest event of the last page when it was read. */
  readonly lagMs: number
  /** How long an open transaction has been holding back events of later ones; 0 when none does. */
  readonly heldBackMs: number
}

/**
 * The end of the log for a reader that has seen all finished transactions: before the oldest open
 * one. Removes events that a restored dump brought from another cluster, see the query.
 */
export async function findEnd(database: Runner, logger: Logger): Promise<Cursor> {
  const removed = (await database.one(deleteForeignEvents, {}))?.removed ?? 0
  if (removed > 0) logger.error({ removed }, 'removed events of another cluster from the event log')
  const found = await database.one(end, {})
  if (!found) throw new Error('events/end returned no row')
  return `${found.txid}-0`
}

/**
 * Reads page after page. After an error the position is unchanged, so no event is lost or delivered
 * twice.
 */
export function createReader(options: ReaderOptions, start: Cursor): Reader {
  const { database, logger } = options
  const hold = watchHold(logger)
  const progress = trackProgress(start, options.deliver)
  let isHeldBack = false
  let failures = 0
  const counted = { reads: 0, readFailures: 0, lagMs: 0 }

  async function readPage(): Promise<number | undefined> {
    const cursor = progress.cursor()
    const page = await database.one(read, splitCursor(cursor))
    if (!page) throw new Error('events/read returned no row')
    counted.reads += 1
    if (failures > 0) logger.info({ failures, cursor }, 'reading the event log works again')
    failures = 0
    if (page.elsewhere) return restartAtEnd()
    const readAt = performance.now()
    for (const [at, event] of page.log.entries()) progress.deliver(event, readAt - (page.ages_ms[at] ?? 0))
    if (!page.more) progress.settle(page.settled)
    if (page.log.length > 0) counted.lagMs = Math.max(...page.ages_ms)
    isHeldBack = page.held_back
    hold.note(isHeldBack)
    if (page.more) return 0
    return page.held_back ? options.heldBackMs : undefined
  }

  /**
   * The database is another one, or was set back: by a restore, or by a standby that lacked the
   * last transactions.
   */
  async function restartAtEnd(): Promise<number> {
    const before = progress.cursor()
    const cursor = await findEnd(database, logger)
    progress.restart(cursor)
    logger.error({ before, cursor }, 'the event log was set back and events may be missing; continuing at its end')
    options.onSetBack(cursor)
    return 0
  }

  const task = createCoalescedTask(readPage, error => {
    counted.readFailures += 1
    failures += 1
    if (failures === 1)
      logger.warn({ err: error, cursor: progress.cursor() }, 'could not read the event log; trying again')
    return options.retryMs
  })

  const taken = createTaken(({ events, begunAt }, txid) => {
    const order = compareIds(txid, progress.settled())
    if (order > 0 || isHeldBack) task.trigger()
    // Else the log was read meanwhile.
    else if (order === 0) {
      for (const event of events.toSorted((a, b) => compareIds(a.id, b.id))) progress.deliver(event, begunAt)
      progress.settle(next(txid))
    }
  })

  return {
    trigger: task.trigger,
    take(committed) {
      const txid = committed.areAll ? committed.events[0]?.txid : undefined
      if (txid !== undefined && txid === (taken.expected() ?? progress.settled())) taken.add(committed, txid)
      else task.trigger()
    },
    position: progress.cursor,
    writtenAt: progress.writtenAt,
    statistics: () => ({ ...counted, eventsRead: progress.delivered(), heldBackMs: hold.sinceMs() }),
    async close() {
      taken.close()
      await task.close()
    },
  }
}

/** Delivers events and tracks how far the log was delivered. */
function trackProgress(start: Cursor, deliver: (event: LoggedEvent) => void) {
  let cursor = start
  let { txid: settled } = splitCursor(start)
  let writtenAt: number | undefined
  let delivered = 0
  return {
    cursor: () => cursor,
    /** All earlier transactions have ended, and their events were delivered. */
    settled: () => settled,
    writtenAt: () => writtenAt,
    delivered: () => delivered,
    /** An event of a page may have been delivered while the page was read. */
    deliver(event: LoggedEvent, written: number): void {
      const position = cursorOf(event)
      if (compareCursors(position, cursor) <= 0) return
      cursor = position
      writtenAt = written
      delivered += 1
      deliver(event)
    },
    settle(txid: string): void {
      if (compareIds(txid, settled) > 0) settled = txid
    },
    restart(at: Cursor): void {
      cursor = at
      settled = splitCursor(at).txid
    },
  }
}

const next = (txid: string): string => String(BigInt(txid) + 1n)

/** The transactions of this process that wait until the present work of the event loop is done. */
function createTaken(deliver: (committed: Committed, txid: string) => void) {
  let waiting: { readonly committed: Committed; readonly txid: string }[] = []
  function deliverAll(): void {
    const all = waiting
    waiting = []
    for (const { committed, txid } of all) deliver(committed, txid)
  }
  return {
    add(committed: Committed, txid: string): void {
      waiting.push({ committed, txid })
      if (waiting.length === 1) setImmediate(deliverAll)
    },
    /** The transaction after those that wait; undefined when none does. */
    expected(): string | undefined {
      const last = waiting.at(-1)
      return last && next(last.txid)
    },
    close(): void {
      waiting = []
    },
  }
}

/** Measures how long the log is held back, and logs each long hold once. */
function watchHold(logger: Logger): { note(heldBack: boolean): void; sinceMs(): number } {
  let since: number | undefined
  let logged = false
  const sinceMs = (): number => (since === undefined ? 0 : performance.now() - since)
  return {
    sinceMs,
    note(heldBack) {
      if (!heldBack) {
        since = undefined
        logged = false
        return
      }
      since ??= performance.now()
      if (logged || sinceMs() < LONG_HOLD_MS) return
      logged = true
      logger.warn({ heldBackMs: sinceMs() }, 'a long transaction is holding back the event log')
    },
  }
}
