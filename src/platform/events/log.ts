import {
  BehaviorSubject,
  distinctUntilChanged,
  filter,
  firstValueFrom,
  fromEvent,
  map,
  merge,
  startWith,
  Subject,
  takeUntil,
  type Observable,
} from 'rxjs'
import type { Database } from '../database/index.ts'
import type { LoggedEvent } from './catalogue.ts'
import { compareCursors, cursorOf, splitCursor, type Cursor } from './cursor.ts'
import { createListener, LISTENING } from './listener.ts'
import { KEEP_MS, startMaintenance } from './partitions.ts'
import { createReader, findEnd, type Logger, type ReaderStatistics } from './reader.ts'
import { coversPosition, replayLog, type Pages, type ReplayFilter } from './replay.ts'
import { createNotifier } from './notifier.ts'

/** The channel of the trigger on `events` (sql/migrations/0001_foundation.sql). */
const CHANNEL = 'events'

export interface EventLogOptions {
  readonly database: Database
  readonly logger: Logger
  /**
   * The delay until the next read while an older open transaction holds events back; default 20 ms.
   */
  readonly heldBackMs?: number
  /** The delay after an error or a lost connection; default 500 ms. */
  readonly retryMs?: number
  /** How long events are stored; default one day. */
  readonly keepMs?: number
}

/** How long somebody waits for the log. */
export interface Patience {
  readonly timeoutMs: number
  readonly signal?: AbortSignal
}

/** The only reader of the event log in a process. */
export interface EventLog {
  /**
   * Every event once, in commit order (by txid, then id), from the opening of the log on, across
   * lost connections. Hot: a subscriber gets the events after `position()` at the time of its
   * subscription. Completes when the log is closed.
   */
  readonly log$: Observable<LoggedEvent>
  /**
   * For state that must not be stale after an acknowledged write: this process's own commits,
   * immediately, and all of `log$`. An event may therefore come twice and out of order. These
   * subscribers get an event of `log$` before subscribers of `log$` do, because streams are
   * rendered from this state.
   */
  readonly local$: Observable<LoggedEvent>
  /**
   * As `local$`, but each event once, in no order: for caches that drop an entry and load it again,
   * since a load after the commit already contains the change. Not for state that applies events
   * one by one: there the order of the log must decide.
   */
  readonly invalidations$: Observable<LoggedEvent>
  /**
   * Whether events of other processes arrive immediately. While the state is `lost` they arrive
   * later, but none is missed.
   */
  readonly state$: Observable<ListenState>
  /**
   * Emits when the database is another one, or was set back: by a restore, or by a standby that
   * lacked the last transactions. What clients have seen may be gone. Before it all streams of
   * events emit `caches.cleared`, as when an operator wants all to be forgotten.
   */
  readonly setBack$: Observable<void>
  /** The position of the last event that `log$` emitted, or its start. */
  position(): Cursor
  /**
   * Waits until every event up to a position has been emitted, so that no cache of this process is
   * older. Resolves to false when that takes too long, because an open transaction holds the log
   * back or the position is of another log. Rejects with the signal's reason.
   */
  reached(position: Cursor, within: Patience): Promise<boolean>
  /**
   * When the row of that event was written, on the clock of `performance.now()`; undefined before
   * the first event. The transaction committed a little later, at a time that PostgreSQL does not
   * reveal. Computed from the age by the database's clock, so two machines' clocks are never
   * compared.
   */
  writtenAt(): number | undefined
  /**
   * Pages of the events after `after` and up to the present `position()`, in order; undefined when
   * the log no longer reaches back that far. To resume without a gap, subscribe to `log$` first and
   * buffer its events until the last page. Since `after` may lie beyond `position()` (another
   * process had read further), drop buffered events that are not after it by `compareCursors`.
   */
  replay(after: Cursor, filter?: ReplayFilter): Promise<Pages | undefined>
  /**
   * Whether everything after the position is still in the log. False for positions of another log.
   */
  covers(cursor: Cursor): Promise<boolean>
  /**
   * Reads new events now. Notifications trigger it automatically, and so do commits of this process
   * (`database.committed$`) whose events cannot be delivered without reading.
   */
  readOn(): void
  /**
   * Notifies all other processes of new events, after a statement that did not notify itself
   * (src/platform/events/notifier.ts). Nothing is sent while no other process listens
   * (src/platform/events/peers.ts).
   */
  notify(): void
  /**
   * Notifies all other processes when such a statement has ended. This one reads on after its own
   * commits, and here after a failure too: an interrupted statement may have been committed.
   */
  notifyAfter<T>(write: Promise<T>): Promise<T>
  statistics(): EventLogStatistics
  /** Stops listening, waits for the current read, completes the streams. */
  close(): Promise<void>
}

export type ListenState = 'listening' | 'lost'

export interface EventLogStatistics extends ReaderStatistics {
  readonly listening: boolean
  /** How often listening had to be started again. */
  readonly reconnects: number
}

/**
 * Opens the log at its end. Nothing that commits after this resolves is missed, not even by
 * transactions that are open at that time. Throws when the database is unreachable; when only
 * LISTEN fails, it keeps trying.
 */
export async function openEventLog(options: EventLogOptions): Promise<EventLog> {
  const { database, logger, heldBackMs = 20, retryMs = 500, keepMs = KEEP_MS } = options
  const streams = createStreams()
  const { deliver, onSetBack, log$ } = streams
  const state = watchState(logger)

  const start = await findEnd(database, logger)
  const opened = performance.now()
  const maintenance = startMaintenance(database, logger, keepMs)
  const reader = createReader({ database, logger, heldBackMs, retryMs, deliver, onSetBack }, start)
  const notifier = createNotifier({ database, logger, retryMs, application: LISTENING, readOn: reader.trigger })
  const listener = createListener({
    connection: database.connection,
    channel: CHANNEL,
    retryMs,
    onNotify: notifier.received,
    onState(now, cause) {
      notifier.listening(now === 'listening')
      state.onState(now, cause)
    },
  })
  const committed = database.committed$.subscribe(transaction => {
    for (const event of transaction.events) streams.commit(event, reader.position())
    reader.take(transaction)
  })
  await Promise.all([listener.open(), maintenance.begun])
  // The previous process may have been killed before it notified the others.
  notifier.notify()

  async function covers(cursor: Cursor): Promise<boolean> {
    // At the start of this process there may be no earlier event whose age could be checked.
    if (cursor === start && performance.now() - opened < keepMs) return true
    return coversPosition(database, cursor, keepMs)
  }

  return {
    log$,
    local$: streams.local$,
    invalidations$: streams.invalidations$,
    state$: state.state$,
    setBack$: streams.setBack$,
    position: reader.position,
    reached(position, within) {
      reader.trigger()
      return reached(log$, reader.position, position, within)
    },
    writtenAt: reader.writtenAt,
    covers,
    async replay(after, filter) {
      const last = reader.position()
      return (await covers(after)) ? replayLog(database, after, last, filter) : undefined
    },
    readOn: reader.trigger,
    notify: notifier.notify,
    notifyAfter: notifier.notifyAfter,
    statistics: () => ({ ...reader.statistics(), ...state.statistics() }),
    async close() {
      committed.unsubscribe()
      await Promise.all([listener.close(), maintenance.close(), reader.close(), notifier.close()])
      streams.complete()
      state.end()
    },
  }
}

/** The streams of a log, and what they emit when. */
function createStreams() {
  const local = new Subject<LoggedEvent>()
  const invalidations = new Subject<LoggedEvent>()
  const log = new Subject<LoggedEvent>()
  const setBack = new Subject<void>()
  const own = trackOwnEvents()

  /** The log has reached the event. */
  function deliver(event: LoggedEvent): void {
    if (!own.remove(event)) invalidations.next(event)
    local.next(event)
    log.next(event)
  }

  return {
    local$: local.asObservable(),
    invalidations$: invalidations.asObservable(),
    log$: log.asObservable(),
    setBack$: setBack.asObservable(),
    deliver,
    /** This process has committed the event. */
    commit(event: LoggedEvent, position: Cursor): void {
      // The log may have delivered the event before the statement's result arrived.
      if (compareCursors(cursorOf(event), position) > 0) {
        own.add(event)
        invalidations.next(event)
      }
      local.next(event)
    },
    onSetBack(position: Cursor): void {
      own.clear()
      deliver(everythingForgotten(position))
      setBack.next()
    },
    complete(): void {
      for (const stream of [local, invalidations, log]) stream.complete()
      setBack.complete()
    },
  }
}

async function reached(
  log$: Observable<LoggedEvent>,
  current: () => Cursor,
  position: Cursor,
  { timeoutMs, signal }: Patience,
): Promise<boolean> {
  signal?.throwIfAborted()
  const late = AbortSignal.timeout(timeoutMs)
  const stops = [late, ...(signal ? [signal] : [])].map(one => fromEvent(one, 'abort'))
  const found$ = log$.pipe(
    startWith(undefined),
    map(() => compareCursors(current(), position) >= 0),
    filter(isThere => isThere),
    takeUntil(merge(...stops)),
  )
  const isThere = await firstValueFrom(found$, { defaultValue: false })
  signal?.throwIfAborted()
  return isThere
}

/** An event of this process only: each process finds out by itself that the log was set back. */
const everythingForgotten = (position: Cursor): LoggedEvent => ({
  ...splitCursor(position),
  kind: 'caches.cleared',
  actor_id: null,
  account_id: null,
  status_id: null,
  object_id: null,
  data: { change: 'all' },
})

/** The limit of own events that await delivery; beyond it `invalidations$` emits an event twice. */
const MAX_OWN = 10_000

/** Events that this process has committed and the log has yet to deliver. */
function trackOwnEvents() {
  const keys = new Set<Cursor>()
  return {
    add(event: LoggedEvent): void {
      if (keys.size < MAX_OWN) keys.add(cursorOf(event))
    },
    /** Whether it was one of them. */
    remove: (event: LoggedEvent): boolean => keys.delete(cursorOf(event)),
    clear: () => keys.clear(),
  }
}

/** Publishes the state of listening, and logs each change. */
function watchState(logger: Logger) {
  const state = new BehaviorSubject<ListenState>('lost')
  let reported: ListenState | undefined
  let connections = 0
  return {
    state$: state.pipe(distinctUntilChanged()),
    end: () => state.complete(),
    statistics: () => ({ listening: state.value === 'listening', reconnects: Math.max(0, connections - 1) }),
    onState(now: ListenState, cause?: Error): void {
      if (now === 'listening') connections += 1
      state.next(now)
      if (now === reported) return
      reported = now
      if (now === 'lost') logger.warn({ err: cause }, 'lost the connection that listens to events; trying again')
      else logger.info({}, 'listening to events')
    },
  }
}
