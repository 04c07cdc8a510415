import { c, query, type Database, type LoggedEvent, type Runner } from '../database/index.ts'
import { createCoalescedTask } from './coalesced_task.ts'
import { cursorOf, splitCursor, type Cursor } from './cursor.ts'

const read = query(
  'platform/events/read',
  { txid: c.xid8, id: c.bigint },
  {
    log: c.json<LoggedEvent[]>(),
    ages_ms: c.json<number[]>(),
    more: c.boolean,
    held_back: c.boolean,
    elsewhere: c.boolean,
  },
)
const end = query('platform/events/end', {}, { txid: c.xid8 })
const forgetElsewhere = query('platform/events/forget_elsewhere', {}, { removed: c.integer })

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
  /** When the row of the event at the position was written, on the clock of `performance.now()`; undefined before the first. */
  writtenAt(): number | undefined
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

/** Reads page after page. An error leaves the position where it was, so nothing is lost and nothing comes twice. */
export function createReader(options: ReaderOptions, start: Cursor): Reader {
  const { database, logger } = options
  const hold = watchHold(logger)
  let cursor = start
  let writtenAt: number | undefined
  let failures = 0
  const counted = { eventsRead: 0, reads: 0, readFailures: 0, lagMs: 0 }

  async function readPage(): Promise<number | undefined> {
    const page = await database.one(read, splitCursor(cursor))
    if (!page) throw new Error('events/read gave no row')
    counted.reads += 1
    if (failures > 0) logger.info({ failures, cursor }, 'the event log can be read again')
    failures = 0
    if (page.elsewhere) return startAnew()
    const readAt = performance.now()
    for (const [at, event] of page.log.entries()) {
      cursor = cursorOf(event)
      writtenAt = readAt - (page.ages_ms[at] ?? 0)
      options.deliver(event)
    }
    counted.eventsRead += page.log.length
    if (page.log.length > 0) counted.lagMs = Math.max(...page.ages_ms)
    hold.note(page.held_back)
    if (page.more) return 0
    return page.held_back ? options.heldBackMs : undefined
  }

  /** The server under us is another one, or was set back: by a restore, or by a standby that lacked the last transactions. */
  async function startAnew(): Promise<number> {
    const before = cursor
    cursor = await findEnd(database, logger)
    logger.error({ before, cursor }, 'the event log was set back, events may be missing: going on at its end')
    return 0
  }

  const bell = createCoalescedTask(readPage, error => {
    counted.readFailures += 1
    failures += 1
    if (failures === 1) logger.warn({ err: error, cursor }, 'the event log cannot be read, trying again')
    return options.retryMs
  })

  return {
    ring: bell.trigger,
    position: () => cursor,
    writtenAt: () => writtenAt,
    statistics: () => ({ ...counted, heldBackMs: hold.sinceMs() }),
    close: bell.close,
  }
}

/** For how long the log has been held back, with one line in the log about each long time. */
function watchHold(logger: Logger): { note(heldBack: boolean): void; sinceMs(): number } {
  let since: number | undefined
  let told = false
  const sinceMs = (): number => (since === undefined ? 0 : performance.now() - since)
  return {
    sinceMs,
    note(heldBack) {
      if (!heldBack) {
        since = undefined
        told = false
        return
      }
      since ??= performance.now()
      if (told || sinceMs() < LONG_HOLD_MS) return
      told = true
      logger.warn({ heldBackMs: sinceMs() }, 'a long transaction holds the event log back')
    },
  }
}
