import { c, query, type Database, type LoggedEvent, type Runner } from '../database/index.ts'
import { cursorOf, splitCursor, type Cursor } from './cursor.ts'

const read = query(
  'events/read',
  { txid: c.xid8, id: c.bigint },
  {
    log: c.json<LoggedEvent[]>(),
    more: c.boolean,
    oldest_ms: c.float,
    held_back: c.boolean,
    elsewhere: c.boolean,
  },
)
const end = query('events/end', {}, { txid: c.xid8 })
const forgetElsewhere = query('events/forget_elsewhere', {}, { removed: c.integer })

/** An open transaction that holds the log back for so long deserves a word. */
const LONG_HOLD_MS = 10_000

export interface Logger {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface ReaderOptions {
  readonly database: Database
  readonly logger: Logger
  /** When to look again for events behind an open transaction. */
  readonly heldBackMs: number
  /** When to look again after an error. */
  readonly retryMs: number
  /** Gets each event once, in order. */
  readonly deliver: (event: LoggedEvent) => void
}

/** Reads the log on from a position, whenever it is rung. */
export interface Reader {
  ring(): void
  position(): Cursor
  statistics(): ReaderStatistics
  close(): Promise<void>
}

export interface ReaderStatistics {
  /** Events delivered. */
  readonly eventsRead: number
  /** Queries of the log; those that failed are counted apart. */
  readonly reads: number
  readonly readFailures: number
  /** How old the oldest event of the last page was when it was read. */
  readonly lagMs: number
  /** For how long an open transaction has been holding back events of later ones; 0 when none does. */
  readonly heldBackMs: number
}

/**
 * Where the log goes on for one who has read all finished transactions: before the oldest one that is open. Removes
 * what a restored dump brought from the future, see the query.
 */
export async function findEnd(database: Runner, logger: Logger): Promise<Cursor> {
  const removed = (await database.one(forgetElsewhere, {}))?.removed ?? 0
  if (removed > 0) logger.error({ removed }, 'the event log had events of another cluster, they were removed')
  const found = await database.one(end, {})
  if (!found) throw new Error('events/end gave no row')
  return `${found.txid}-0`
}

/**
 * One read runs at a time and none is missed: a ring while a read runs makes it read once more. Between `rung` being found false and
 * `reading` becoming false nothing is awaited, so no ring falls in between.
 */
export function createReader(options: ReaderOptions, start: Cursor): Reader {
  const { database, logger } = options
  let cursor = start
  let rung = false
  let reading = false
  let closed = false
  let running = Promise.resolve()
  let timer: NodeJS.Timeout | undefined
  let heldBackSince: number | undefined
  let longHold = false
  let failures = 0
  const counted = { eventsRead: 0, reads: 0, readFailures: 0, lagMs: 0 }

  function ring(): void {
    rung = true
    if (reading || closed) return
    reading = true
    running = readOn()
  }

  function ringLater(delayMs: number): void {
    clearTimeout(timer)
    if (!closed) timer = setTimeout(ring, delayMs).unref()
  }

  async function readOn(): Promise<void> {
    clearTimeout(timer)
    try {
      while (rung) {
        rung = false
        await readPage()
        if (closed) return
      }
    } catch (error) {
      counted.readFailures += 1
      failures += 1
      if (failures === 1 && !closed) logger.warn({ err: error, cursor }, 'the event log cannot be read, trying again')
      ringLater(options.retryMs)
    } finally {
      reading = false
    }
  }

  async function readPage(): Promise<void> {
    const page = await database.one(read, splitCursor(cursor))
    if (!page) throw new Error('events/read gave no row')
    counted.reads += 1
    if (failures > 0) logger.info({ failures, cursor }, 'the event log can be read again')
    failures = 0
    if (page.elsewhere) return startAnew()
    for (const event of page.log) {
      cursor = cursorOf(event)
      options.deliver(event)
    }
    counted.eventsRead += page.log.length
    if (page.log.length > 0) counted.lagMs = page.oldest_ms
    noteHold(page.held_back)
    if (page.more) rung = true
    else if (page.held_back) ringLater(options.heldBackMs)
  }

  /** The server under us is another one, or was set back: by a restore, or by a standby that lacked the last transactions. */
  async function startAnew(): Promise<void> {
    const before = cursor
    cursor = await findEnd(database, logger)
    rung = true
    logger.error({ before, cursor }, 'the event log was set back, events may be missing: going on at its end')
  }

  function noteHold(heldBack: boolean): void {
    if (!heldBack) {
      heldBackSince = undefined
      longHold = false
      return
    }
    heldBackSince ??= performance.now()
    const heldBackMs = performance.now() - heldBackSince
    if (longHold || heldBackMs < LONG_HOLD_MS) return
    longHold = true
    logger.warn({ heldBackMs }, 'a long transaction holds the event log back')
  }

  return {
    ring,
    position: () => cursor,
    statistics: () => ({
      ...counted,
      heldBackMs: heldBackSince === undefined ? 0 : performance.now() - heldBackSince,
    }),
    async close() {
      closed = true
      clearTimeout(timer)
      await running
    },
  }
}
