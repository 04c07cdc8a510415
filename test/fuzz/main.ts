import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { parseArgs } from 'node:util'
import { t } from 'tap'
import { startServer } from '../support/server.ts'
import { checkAfterwards } from './check.ts'
import { fuzz } from './run.ts'

const OPTIONS = {
  seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  count: { type: 'string', default: '10000' },
  'slow-ms': { type: 'string', default: '1000' },
} as const

const print = (line: string): void => void process.stdout.write(`${line}\n`)

const MB = 1024 * 1024
/** What caches and compiled code may take beyond the memory after the first quarter. */
const GROWTH_MB = 150

/** The memory in use after a full collection. */
function makeMeasure(): () => number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  return () => {
    collect()
    return Math.round(process.memoryUsage().heapUsed / MB)
  }
}

/** A line of the server's log in short. */
const describe = ({ msg, err }: Record<string, unknown>): string =>
  JSON.stringify([msg, typeof err === 'object' && err !== null && 'message' in err ? err.message : undefined])

/**
 * `npm run fuzz -- [--seed S] [--count N] [--slow-ms 1000]`: random requests to a server of its
 * own. The same seed and count send the same requests. Exit code 1 when one fails, memory grows, or
 * `ctl check` finds something afterwards.
 */
async function main(given: string[]): Promise<number> {
  // The servers of tests come with tap, which would end this after half a minute.
  t.setTimeout(0)
  const { values } = parseArgs({ args: given, options: OPTIONS })
  const [seed, count, slowMs] = [Number(values.seed), Number(values.count), Number(values['slow-ms'])]
  print(`seed ${seed}, ${count} requests`)
  const server = await startServer(undefined, { env: { LOG_LEVEL: 'error' } })
  const measure = makeMeasure()
  const startedMs = Date.now()
  const heaps: { done: number; heapMb: number }[] = []
  try {
    const failures = await fuzz(server, {
      seed,
      count,
      slowMs,
      progress(done, failure) {
        if (failure) print(`FAILED seed ${failure.seed}: ${failure.message}\n  ${failure.request}`)
        if (done % 10_000 !== 0 && done !== count) return
        heaps.push({ done, heapMb: measure() })
        print(
          `${done} requests, ${Math.round((Date.now() - startedMs) / 1000)} s, heap ${heaps.at(-1)?.heapMb ?? 0} MB`,
        )
      },
    })
    const wrong = await checkAfterwards(server)
    if (wrong !== '') print(wrong)
    const early = heaps.find(one => one.done >= count / 4)?.heapMb ?? 0
    const grown = (heaps.at(-1)?.heapMb ?? 0) - early
    if (grown > GROWTH_MB) print(`The heap has grown by ${grown} MB since the first quarter`)
    for (const line of new Set(server.log.map(entry => describe(entry)))) print(`log: ${line}`)
    print(failures.length === 0 && wrong === '' ? 'OK' : `${failures.length} failures`)
    return failures.length === 0 && wrong === '' && grown <= GROWTH_MB ? 0 : 1
  } finally {
    await server.stop()
  }
}

process.exit(await main(process.argv.slice(2)))
