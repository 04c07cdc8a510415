import { BehaviorSubject, distinctUntilChanged, Subject, type Observable } from 'rxjs'
import type { Database, LoggedEvent } from '../database/index.ts'
import { compareCursors, cursorOf, type Cursor } from './cursor.ts'
import { createListener } from './listener.ts'
import { KEEP_MS, keepUp } from './partitions.ts'
import { createReader, findEnd, type Logger, type ReaderStatistics } from './reader.ts'
import { coversPosition, replayLog, type Pages, type ReplayFilter } from './replay.ts'
import { createNotifier } from './notifier.ts'

/** The channel of the trigger on `events` (sql/migrations/0001_foundation.sql). */
const CHANNEL = 'events'

export interface EventLogOptions {
  readonly database: Database
  readonly logger: Logger
  /** When to look again for events that an older open transaction holds back: 20 ms. */
  readonly heldBackMs?: number
  /** When to try again after an error or a lost connection: 500 ms. */
  readonly retryMs?: number
  /** How long the log reaches back: one day. */
  readonly keepMs?: number
}

/** The one reader of the event log in a process. */
export interface EventLog {
  /**
   * Every event once, in commit order (by txid, then id), from the moment of opening on, however often the connection was lost
   * meanwhile. Hot: a subscriber gets what comes after `position()` at the time of its subscription. Ends when the log is closed.
   */
  readonly log$: Observable<LoggedEvent>
  /**
   * For state that must not be stale after an acknowledged write: what this process itself commits, at once, and everything of
   * `log$`. So an event may come twice, and out of order. Of an event of `log$` these subscribers hear first, whoever subscribed
   * when: what is streamed is rendered from this state.
   */
  readonly local$: Observable<LoggedEvent>
  /**
   * As `local$`, but each event once, in no order: for caches that drop what an event changes and load it anew, because what is
   * loaded after the commit has the change in it already. Not for state that events are applied to: the last word must be the log's.
   */
  readonly invalidations$: Observable<LoggedEvent>
  /** Whether events of other processes come at once. They come later, but none is lost, when this was lost. */
  readonly state$: Observable<ListenState>
  /** The position of the last event that `log$` delivered, or where it began. */
  position(): Cursor
  /**
   * When the row of that event was written, on the clock of `performance.now()`; undefined when none was delivered. Its transaction
   * committed a little later: PostgreSQL does not tell when. By the clock of the database, so never of another machine's.
   */
  writtenAt(): number | undefined
  /**
   * Pages of the events after `after` and up to `position()` as it is now, in order; undefined when the log does not reach back to there.
   * To resume without a gap subscribe to `log$` first and keep what comes until the last page; and as `after` may lie beyond
   * `position()` (another process was further), drop what is not after it by `compareCursors`.
   */
  replay(after: Cursor, filter?: ReplayFilter): Promise<Pages | undefined>
  /** Whether everything after the position is still in the log. False for positions of another log. */
  covers(cursor: Cursor): Promise<boolean>
  /** Look for new events now. Commits of this process (`database.committed$`) and notifications do it by themselves. */
  readOn(): void
  /** Tells all processes to look for new events, after a statement that did not notify by itself (src/platform/events/notifier.ts). */
  notify(): void
  statistics(): EventLogStatistics
  /** Stops listening, waits for the read that runs, ends the streams. */
  close(): Promise<void>
}

export type ListenState = 'listening' | 'lost'

export interface EventLogStatistics extends ReaderStatistics {
  readonly listening: boolean
  /** How often listening had to begin anew. */
  readonly reconnects: number
}

/**
 * Opens the log at its end. Nothing that commits after this resolves is missed, transactions that are open at that time included.
 * Throws when the database cannot be reached; when only listening fails it goes on trying.
 */
export async function openEventLog(options: EventLogOptions): Promise<EventLog> {
  const { database, logger, heldBackMs = 20, retryMs = 500, keepMs = KEEP_MS } = options
  const applying = new Subject<LoggedEvent>()
  const changing = new Subject<LoggedEvent>()
  const delivered = new Subject<LoggedEvent>()
  const own = rememberOwn()
  const deliver = (event: LoggedEvent): void => {
    if (!own.forget(event)) changing.next(event)
    applying.next(event)
    delivered.next(event)
  }
  const state = watchState(logger)

  const start = await findEnd(database, logger)
  const opened = performance.now()
  const upkeep = keepUp(database, logger, keepMs)
  const reader = createReader({ database, logger, heldBackMs, retryMs, deliver }, start)
  const listener = createListener({
    connection: database.connection,
    channel: CHANNEL,
    retryMs,
    heard: reader.ring,
    changed: state.changed,
  })
  const committed = database.committed$.subscribe(events => {
    for (const event of events) {
      // The log may have been faster than the answer to the statement.
      if (compareCursors(cursorOf(event), reader.position()) > 0) {
        own.remember(event)
        changing.next(event)
      }
      applying.next(event)
    }
    reader.ring()
  })
  const teller = createNotifier(database, logger, retryMs)
  await Promise.all([listener.open(), upkeep.begun])
  // The process that ran before this one may have been killed before it could.
  teller.trigger()

  async function covers(cursor: Cursor): Promise<boolean> {
    // Where this process began there may be no event before, by which to tell how old that is.
    if (cursor === start && performance.now() - opened < keepMs) return true
    return coversPosition(database, cursor, keepMs)
  }

  return {
    log$: delivered.asObservable(),
    local$: applying.asObservable(),
    invalidations$: changing.asObservable(),
    state$: state.state$,
    position: reader.position,
    writtenAt: reader.writtenAt,
    covers,
    async replay(after, filter) {
      const last = reader.position()
      return (await covers(after)) ? replayLog(database, after, last, filter) : undefined
    },
    readOn: reader.ring,
    notify: teller.trigger,
    statistics: () => ({ ...reader.statistics(), ...state.statistics() }),
    async close() {
      committed.unsubscribe()
      await Promise.all([listener.close(), upkeep.close(), reader.close(), teller.close()])
      applying.complete()
      changing.complete()
      delivered.complete()
      state.end()
    },
  }
}

/** Most events of this process that wait to be delivered; of those beyond that `invalidations$` tells twice. */
const MAX_OWN = 10_000

/** The events that this process has committed and the log has yet to deliver. */
function rememberOwn() {
  const keys = new Set<Cursor>()
  return {
    remember(event: LoggedEvent): void {
      if (keys.size < MAX_OWN) keys.add(cursorOf(event))
    },
    /** Whether it was one of them. */
    forget: (event: LoggedEvent): boolean => keys.delete(cursorOf(event)),
  }
}

/** What became of listening, told to the log at each change only. */
function watchState(logger: Logger) {
  const state = new BehaviorSubject<ListenState>('lost')
  let reported: ListenState | undefined
  let listened = 0
  return {
    state$: state.pipe(distinctUntilChanged()),
    end: () => state.complete(),
    statistics: () => ({ listening: state.value === 'listening', reconnects: Math.max(0, listened - 1) }),
    changed(now: ListenState, cause?: Error): void {
      if (now === 'listening') listened += 1
      state.next(now)
      if (now === reported) return
      reported = now
      if (now === 'lost') logger.warn({ err: cause }, 'not listening to events, trying again')
      else logger.info({}, 'listening to events')
    },
  }
}
