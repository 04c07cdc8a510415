import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import pg from 'pg'
import { filter, firstValueFrom, fromEvent, merge, startWith } from 'rxjs'
import type { Config } from '../../src/core/config.ts'
import { compareCursors, type Cursor } from '../../src/platform/events/index.ts'
import type { Logger } from '../../src/core/logger.ts'
import { DATABASE_RESTARTS, snapshotOf } from '../../src/platform/metrics/index.ts'
import { createWorkerMetrics, createAggregator, type WorkerMetrics } from '../../src/platform/metrics/worker_metrics.ts'
import { prepareDatabase, serve, type Server, type Serving } from '../../src/app/server.ts'
import type { Services } from '../../src/platform/services.ts'

/*
 * With MILLRACE_TEST_WORKERS=2 each server that a test starts imitates two server processes: two
 * servers on one port and one database, which share nothing else. They run in the process of the
 * test and share its clock and log, so that some hundred servers need no forks;
 * test/faults/workers.test.ts has real processes. The kernel assigns each connection to one of
 * them, and each request has its own connection. Each learns of the commits of the other a moment
 * later; requests wait for that.
 */

const workers = process.env['MILLRACE_TEST_WORKERS'] ?? '1'
if (workers !== '1' && workers !== '2') throw new Error(`MILLRACE_TEST_WORKERS is 1 or 2, not "${workers}"`)

/** The number of server processes that a test's server imitates. */
export const PROCESSES = workers === '2' ? 2 : 1

/**
 * The limit of a wait, for tests that cut the server off from the database or hold the log back.
 */
const MAX_MS = 3_000

/** By origin: waits until all servers there have read the event log up to now. */
const waits = new Map<string, () => Promise<void>>()
/** The origins of servers that imitate two processes. */
const imitating = new Set<string>()

/**
 * Waits until all servers at the address have read the event log up to now. Streams are opened
 * after that: otherwise, on a slow machine, some would receive earlier posts.
 */
export async function waitForAllEventLogs(url: URL | string): Promise<void> {
  await waits.get(new URL(url).origin)?.()
}

/** The process of a response: request ids begin with a random part for each process. */
const processOf = ({ headers }: { headers: Headers }): string => headers.get('x-request-id')?.split('-')[0] ?? ''

/** Enough requests for the kernel to choose each of two processes. */
const MAX_TRIES = 64

/** Repeats a request until each process has responded; returns the last response. */
export async function requestFromEach<T extends { headers: Headers }>(ask: () => Promise<T>): Promise<T> {
  const answered = new Set<string>()
  for (let tries = 1; ; tries += 1) {
    const response = await ask()
    answered.add(processOf(response))
    if (answered.size === PROCESSES) return response
    if (tries === MAX_TRIES) throw new Error(`${answered.size} of ${PROCESSES} processes have answered`)
  }
}

/**
 * Metrics of workers that exchange messages, as those of src/app/cluster.ts do through their
 * parent.
 */
function createLinkedMetrics(count: number): WorkerMetrics[] {
  const all: WorkerMetrics[] = []
  const aggregator = createAggregator(
    () => all.map(one => message => void one.receive(message)),
    () => snapshotOf(DATABASE_RESTARTS, () => 0),
  )
  for (let left = count; left > 0; left -= 1) {
    const one = createWorkerMetrics(message => void aggregator.receive(response => void one.receive(response), message))
    all.push(one)
  }
  return all
}

/**
 * Resolves when the server has read the log up to a position and is idle at the database, or after
 * the time limit.
 */
async function waitForPosition({ events, database }: Services, position: Cursor, late: AbortSignal): Promise<void> {
  const there = (): boolean => late.aborted || compareCursors(events.position(), position) >= 0
  const looks$ = merge(events.log$, fromEvent(late, 'abort')).pipe(startWith(undefined), filter(there))
  await firstValueFrom(looks$, { defaultValue: undefined })
  // Settings and other caches are reloaded after their events.
  for (let idle = 0; idle < 2 && !late.aborted;) {
    const { total, idle: unused, waiting } = database.statistics()
    idle = total === unused && waiting === 0 ? idle + 1 : 0
    await setImmediate()
  }
}

const LAST = {
  name: 'last',
  text: `select events.txid || '-' || events.id as last from events order by events.txid desc, events.id desc limit 1`,
}

/** Waits for servers on one database, with a separate connection for the position of the log. */
function createEventLogWaiter(databaseUrl: string) {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: 1,
    // Tests also let connections vanish silently: their end must not be waited for.
    query_timeout: MAX_MS,
    connectionTimeoutMillis: MAX_MS,
  })
  // Tests cut connections.
  pool.on('error', () => {})

  async function untilAllAtEnd(servers: readonly Serving[], late: AbortSignal): Promise<void> {
    const { rows } = await pool.query<{ last: Cursor }>(LAST)
    const last = rows[0]?.last
    if (last !== undefined) await Promise.all(servers.map(({ services }) => waitForPosition(services, last, late)))
  }

  return {
    async until(servers: readonly Serving[]): Promise<void> {
      const late = AbortSignal.timeout(MAX_MS)
      await Promise.race([untilAllAtEnd(servers, late).catch(() => undefined), once(late, 'abort')])
    },
    close: () => pool.end(),
  }
}

const originalFetch = globalThis.fetch

/**
 * Sends each request on a new connection, which either server may accept, after both have read the
 * event log.
 */
async function fetchFromAnyProcess(...[target, options]: Parameters<typeof fetch>): ReturnType<typeof fetch> {
  const request = new Request(target, options)
  if (!imitating.has(new URL(request.url).origin)) return originalFetch(target, options)
  await waitForAllEventLogs(request.url)
  request.headers.set('connection', 'close')
  return originalFetch(request)
}

/** Starts a server that imitates one or two processes. */
export async function startProcesses(
  processes: number,
  config: Config,
  databaseUrl: string,
  logger: Logger,
): Promise<Server> {
  const connection = { connectionString: databaseUrl }
  await prepareDatabase(connection, logger)
  const waiting = createEventLogWaiter(databaseUrl)
  const origin = `http://${config.bind}:${config.port}`
  const servers: Serving[] = []
  async function stop(): Promise<void> {
    waits.delete(origin)
    imitating.delete(origin)
    await Promise.all([...servers.map(server => server.stop()), waiting.close()])
  }
  try {
    const all = processes === 1 ? [undefined] : createLinkedMetrics(processes)
    for (const workerMetrics of all)
      servers.push(
        await serve({ ...config, workers: processes }, connection, logger, workerMetrics ? { workerMetrics } : {}),
      )
  } catch (error) {
    await stop()
    throw error
  }
  waits.set(origin, () => waiting.until(servers))
  if (processes > 1) {
    imitating.add(origin)
    globalThis.fetch = fetchFromAnyProcess
  }
  return { url: config.publicUrl, stop }
}
