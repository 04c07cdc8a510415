import { parseArgs } from 'node:util'
import { checkAfterwards } from './check.ts'
import { MemoryTrend } from './memory_trend.ts'
import { openOutside, type Outside } from './outside.ts'
import { fuzz, type FuzzFailure } from './run.ts'
import { startServerProcess, type ServerProcess } from './server_process.ts'

const OPTIONS = {
  seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  count: { type: 'string', default: '10000' },
  /** No request is sent after that; 0: there is no such time. */
  minutes: { type: 'string', default: '0' },
  worlds: { type: 'string', default: '4' },
  'in-flight': { type: 'string', default: '2' },
  /** A regular expression: `POST .*inbox`. Default: all. */
  operations: { type: 'string', default: '.' },
  'slow-ms': { type: 'string', default: '1000' },
} as const

const print = (line: string): void => void process.stdout.write(`${line}\n`)

/** The memory is measured, and a line printed, each time so many requests have been sent. */
const EVERY = 10_000
/** Failures that are alike are printed so often. */
const PRINTED = 3
const MB = 1024 * 1024

/** A line of the server's log in short. */
const describe = ({ msg, err }: Record<string, unknown>): string =>
  JSON.stringify([msg, typeof err === 'object' && err !== null && 'message' in err ? err.message : undefined])

/** Prints failures, the first of those that are alike. */
function createFailurePrinter(): (failure: FuzzFailure) => void {
  const printed = new Map<string, number>()
  return ({ seed, message, request }) => {
    const kind = message.slice(0, 80).replaceAll(/\d+/g, '0')
    const count = (printed.get(kind) ?? 0) + 1
    printed.set(kind, count)
    if (count <= PRINTED) print(`FAILED seed ${seed}: ${message}\n  ${request.slice(0, 3000)}`)
  }
}

/** Measures the server each time EVERY more requests have been sent. */
function createProgress(server: ServerProcess, trend: MemoryTrend): (done: number) => Promise<void> {
  const startedMs = Date.now()
  let due = EVERY
  return async done => {
    if (done < due) return
    due = done - (done % EVERY) + EVERY
    const memory = await server.memory()
    trend.add(done, memory)
    const seconds = (Date.now() - startedMs) / 1000
    print(
      `${done} requests, ${Math.round(seconds)} s, ${Math.round(done / seconds)} a second, ` +
        `heap ${Math.round(memory.heapBytes / MB)} MB, resident ${Math.round(memory.rssBytes / MB)} MB`,
    )
  }
}

const MINUTE_MS = 60_000

/** Ends when the server does, by a signal, or after a time; then nothing more is sent. */
function createStop(server: ServerProcess, minutes: number): AbortSignal {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort(signal))
  void server.program.exited().then(({ code, signal }) => stop.abort(`the server ended: ${signal ?? code}`))
  if (minutes > 0) setTimeout(() => stop.abort(`after ${minutes} minutes`), minutes * MINUTE_MS).unref()
  return stop.signal
}

/** @returns whether all is as it should be */
async function run(server: ServerProcess, outside: Outside, given: string[]): Promise<boolean> {
  const { values } = parseArgs({ args: given, options: OPTIONS })
  const [seed, count] = [Number(values.seed), Number(values.count)]
  print(`seed ${seed}, ${count} requests; the server is process ${server.program.pid}`)
  const trend = new MemoryTrend()
  const stop = createStop(server, Number(values.minutes))
  const { failures, tally, slowOnce } = await fuzz(server, {
    seed,
    count,
    outside,
    operations: new RegExp(values.operations),
    slowMs: Number(values['slow-ms']),
    worlds: Number(values.worlds),
    inFlight: Number(values['in-flight']),
    cpu: server.cpu,
    stop,
    failed: createFailurePrinter(),
    progress: createProgress(server, trend),
  })
  for (const line of tally.lines()) print(line)
  print(`${slowOnce.length} late responses by the machine's other work`)
  for (const line of slowOnce.slice(-20)) print(`  ${line}`)
  print(trend.describe())
  for (const line of new Set(server.program.log.map(describe))) print(`log: ${line.slice(0, 500)}`)
  if (server.program.errors !== '') print(`standard error: ${server.program.errors.slice(-2000)}`)
  if (stop.aborted) print(`stopped: ${String(stop.reason)}`)
  const hasCrashed = stop.aborted && String(stop.reason).startsWith('the server ended')
  const wrong = await checkAfterwards(server)
  if (wrong !== '') print(wrong)
  if (trend.grows()) print('The heap grows')
  const barren = tally.unexpectedlyBarren()
  if (barren.length > 0) print(`These never succeeded, and never.ts does not say why: ${barren.join(', ')}`)
  const fruitful = tally.unexpectedlyFruitful()
  if (fruitful.length > 0) print(`These succeeded, although never.ts says that they cannot: ${fruitful.join(', ')}`)
  const isListRight = barren.length === 0 && fruitful.length === 0
  const isSound = failures.length === 0 && wrong === '' && !trend.grows() && !hasCrashed && isListRight
  print(isSound ? 'OK' : `${failures.length} failures`)
  return isSound
}

/**
 * `npm run fuzz -- [--seed S] [--count N] [--minutes M] [--worlds 4] [--in-flight 2] [--slow-ms
 * 1000] [--operations REGEXP]`: random requests to a server of its own, in another process. The
 * same seed, count and operations send the same requests; those that are under way together may
 * reach the server in another order, except with `--worlds 1 --in-flight 1`. Exit code 1 when one
 * fails, the server ends, its memory grows, `ctl check` finds something afterwards, or operations
 * never succeed that should.
 */
const ends: (() => unknown)[] = []
const outside = await openOutside({ after: work => ends.push(work) })
const server = await startServerProcess(outside.env)
let isSound = false
try {
  isSound = await run(server, outside, process.argv.slice(2))
} finally {
  await server.stop()
  for (const end of ends) await end()
}
process.exit(isSound ? 0 : 1)
