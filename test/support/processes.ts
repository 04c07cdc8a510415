import { once } from 'node:events'
import { setImmediate } from 'node:timers/promises'
import pg from 'pg'
import { filter, firstValueFrom, fromEvent, merge, startWith } from 'rxjs'
import type { Config } from '../../src/core/config.ts'
import { compareCursors, type Cursor } from '../../src/platform/events/index.ts'
import type { Logger } from '../../src/core/logger.ts'
import { createWorkerMetrics, createAggregator, type WorkerMetrics } from '../../src/platform/metrics/worker_metrics.ts'
import { prepareDatabase, serve, type Server, type Serving } from '../../src/app/server.ts'
import type { Services } from '../../src/platform/services.ts'

/*
 * With MILLRACE_TEST_WORKERS=2 each server that a test starts is what two server processes are: two servers on one port and one database,
 * which share nothing else. They run in the test's own process, so that its clocks and logs are theirs, and nothing is forked for each
 * of some hundred servers; test/faults/workers.test.ts has real processes. The kernel gives each connection to one or the other, and each request
 * has a connection of its own. What one has committed the other hears a moment later, which is all that is promised: requests wait for that.
 */

const asked = process.env['MILLRACE_TEST_WORKERS'] ?? '1'
if (asked !== '1' && asked !== '2') throw new Error(`MILLRACE_TEST_WORKERS is 1 or 2, not "${asked}"`)

/** How many server processes a test's server is like. */
export const PROCESSES = asked === '2' ? 2 : 1

/** A test that cuts its server off from the database, or holds the log back, is not waited for longer. */
const MAX_MS = 3_000

/** Waits until all servers at an address have heard what was committed by now. */
const waits = new Map<string, () => Promise<void>>()

/**
 * Waits until whichever server answers at the address has heard of all that was committed by now. Streams are opened after that in any case: what
 * was posted before would else come on some of them, when the machine is slow.
 */
export async function waitForAllEventLogs(url: URL | string): Promise<void> {
  await waits.get(new URL(url).origin)?.()
}

/** Which process gave the answer: its request ids begin with what is random for each. */
const processOf = ({ headers }: { headers: Headers }): string => headers.get('x-request-id')?.split('-')[0] ?? ''

/** Enough for the kernel to have chosen each of two. */
const MAX_TRIES = 64

/** Asks the same until each process has answered; gives the last answer. */
export async function requestFromEach<T extends { headers: Headers }>(ask: () => Promise<T>): Promise<T> {
  const answered = new Set<string>()
  for (let tries = 1; ; tries += 1) {
    const answer = await ask()
    answered.add(processOf(answer))
    if (answered.size === PROCESSES) return answer
    if (tries === MAX_TRIES) throw new Error(`${answered.size} of ${PROCESSES} processes have answered`)
  }
}

/** Colleagues who talk to each other, as those of src/app/cluster.ts do through their parent. */
function createLinkedMetrics(count: number): WorkerMetrics[] {
  const all: WorkerMetrics[] = []
  const exchange = createAggregator(() => all.map(one => message => void one.hear(message)))
  for (let left = count; left > 0; left -= 1) {
    const one = createWorkerMetrics(message => void exchange.hear(answer => void one.hear(answer), message))
    all.push(one)
  }
  return all
}

/** Resolves when the server has read the log up to a position, and asks the database no more about what it read there; or when it is too late. */
async function waitForPosition({ events, database }: Services, position: Cursor, late: AbortSignal): Promise<void> {
  const there = (): boolean => late.aborted || compareCursors(events.position(), position) >= 0
  const looks$ = merge(events.log$, fromEvent(late, 'abort')).pipe(startWith(undefined), filter(there))
  await firstValueFrom(looks$, { defaultValue: undefined })
  // Settings and the like are loaded anew when an event says so.
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

/** Waits for servers on one database, with a connection of its own to ask how far the log is. */
function createEventLogWaiter(databaseUrl: string) {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 })
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

/** Each request to servers that wait has a connection of its own, which may be either's, and comes when both have heard of the last one. */
async function fetchFromAnyProcess(...[target, options]: Parameters<typeof fetch>): ReturnType<typeof fetch> {
  const request = new Request(target, options)
  if (!waits.has(new URL(request.url).origin)) return originalFetch(target, options)
  await waitForAllEventLogs(request.url)
  request.headers.set('connection', 'close')
  return originalFetch(request)
}

/** Serves as so many processes do: one or two. */
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
    await Promise.all([...servers.map(server => server.stop()), waiting.close()])
  }
  try {
    const all = processes === 1 ? [undefined] : createLinkedMetrics(processes)
    for (const colleagues of all)
      servers.push(await serve({ ...config, workers: processes }, connection, logger, colleagues ? { colleagues } : {}))
  } catch (error) {
    await stop()
    throw error
  }
  waits.set(origin, () => waiting.until(servers))
  if (processes > 1) globalThis.fetch = fetchFromAnyProcess
  return { url: config.publicUrl, stop }
}
