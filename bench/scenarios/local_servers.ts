import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { measureRequests, SERVER, serverOf } from '../measure.ts'
import type { Goal } from '../report/goals.ts'
import type { Result } from '../report/report.ts'
import type { Opened, Scenario, Run } from '../scenario.ts'
import { openLocalTarget } from '../target/local.ts'
import { closeAtSignal } from '../target/interrupt.ts'
import { freePort, launchServer } from '../target/server.ts'
import type { LocalServer } from '../target/target.ts'
import { usageOf } from '../target/usage.ts'
import { HOME, homeGoals, openReading, readersOf } from './reads.ts'

/** Scenarios that start their own servers or restart the measured one. */

const START = 'start'
const FROM_NOTHING = 'start, from nothing'
const REST_MS = 3000

const started = (scenario: string, round: number, start: number, memoryBytes: number | undefined): Result => ({
  scenario,
  subject: SERVER,
  round,
  unit: 'starts',
  figures: { start, ...(memoryBytes !== undefined && { memory: memoryBytes / 2 ** 20 }) },
})

async function startFromNothing(round: number): Promise<Result> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'millrace-bench-'))
  try {
    const server = await launchServer(dataDir, await freePort(), { workers: 1 })
    const stop = closeAtSignal(() => server.stop())
    await delay(REST_MS)
    const usage = await usageOf(server.pid)
    await stop()
    return started(FROM_NOTHING, round, server.startMs, usage?.memoryBytes)
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}

const localOf = ({ target }: Run): LocalServer => {
  if (!target.local) throw new Error('this scenario needs a local server')
  return target.local
}

export const start: Scenario = {
  name: START,
  summary:
    'from starting the process to the first response, with an existing and with a new database; memory after that',
  needs: 'local',
  group: 'start',
  goals: [
    { scenario: START, text: 'under 2 s with an existing database', subject: SERVER, figure: 'start', max: 2000 },
    { scenario: FROM_NOTHING, text: 'under 5 s from nothing', subject: SERVER, figure: 'start', max: 5000 },
    { scenario: START, text: 'the process under 150 MB after start', subject: SERVER, figure: 'memory', max: 150 },
  ],
  open(run) {
    const local = localOf(run)
    return Promise.resolve({
      async measure(round) {
        run.progress(`${START}, round ${round} of ${run.options.repeat} …`)
        const startMs = await local.restart(run.options.workers)
        await delay(REST_MS)
        const usage = await local.usage()
        return [started(START, round, startMs, usage?.memoryBytes), await startFromNothing(round)]
      },
      close: () => Promise.resolve(),
    })
  },
}

const sizeName = (statuses: number): string => `home, ${statuses.toLocaleString('en')} statuses`
const MILLION = 1_000_000
const GOAL_SIZES = [10_000, MILLION, 10_000_000]
const PEOPLE = 16
const FOLLOWING = 1000

/** One server for each size, all running, so that each round measures them one after the other. */
async function openSizes(run: Run): Promise<Opened> {
  const { options } = run
  const opened: (Opened & { end(): Promise<void> })[] = []
  const close = async (): Promise<void> => {
    for (const one of opened) {
      await one.close()
      await one.end()
    }
  }
  try {
    for (const statuses of options.sizes) {
      const dataDir = options.data === undefined ? undefined : `${options.data}-${statuses}`
      const { accounts } = options
      const size = {
        accounts,
        statuses,
        people: PEOPLE,
        authors: [],
        readers: PEOPLE,
        following: FOLLOWING,
        replies: 0,
      }
      const target = await openLocalTarget(size, { dataDir, workers: 1 }, text => run.progress(text))
      const smaller = { ...run, target }
      const reading = { tokens: readersOf(smaller), steps: [{ path: HOME }] }
      opened.push({ ...(await openReading(smaller, sizeName(statuses), reading)), end: () => target.close() })
    }
  } catch (error) {
    await close()
    throw error
  }
  return {
    async measure(round) {
      const results: Result[] = []
      for (const one of opened) results.push(...(await one.measure(round)))
      return results
    },
    close,
  }
}

const isNear = (statuses: number): Scenario['goals'][number][] => {
  const common = { scenario: sizeName(statuses), subject: SERVER, figure: 'rate' } as const
  const of = { scenario: sizeName(MILLION), subject: SERVER }
  return statuses === MILLION ? [] : [{ ...common, text: 'within 20 % of the rate with a million', of, min: 0.8 }]
}

export const sizes: Scenario = {
  name: 'sizes',
  summary: 'home timelines with 10 thousand, a million (--sizes: also 10 million) statuses in the database',
  needs: 'itself',
  group: 'sizes',
  goals: GOAL_SIZES.flatMap(statuses => [...homeGoals(sizeName(statuses)), ...isNear(statuses)]),
  open: openSizes,
}

const SCALED = 'workers'
const ONE = 'WORKERS=1'
const TWO = 'WORKERS=2'
const PUBLIC = '/api/v1/timelines/public?limit=20'

export const workers: Scenario = {
  name: SCALED,
  summary: 'reads with one server process and with two',
  needs: 'local',
  group: 'workers',
  goals: [`${SCALED}, home`, `${SCALED}, public`].flatMap((scenario): Goal[] => {
    const compared = { scenario, subject: TWO, of: { subject: ONE } }
    return [
      { ...compared, text: 'two processes at least 1.6 times as fast as one', figure: 'rate', min: 1.6 },
      // Estimates two processes on cores of their own, since the load generator needs one of two.
      { ...compared, text: 'at least 80 % of the requests a CPU second of one', figure: 'perServerCpu', min: 0.8 },
    ]
  }),
  open(run) {
    const local = localOf(run)
    const measureWith = async (round: number, name: string, processes: number): Promise<Result[]> => {
      run.progress(`${SCALED}, round ${round}: starting with ${name} …`)
      await local.restart(processes)
      const subject = serverOf(run, name)
      const home = { scenario: `${SCALED}, home`, round, tokens: readersOf(run), steps: [{ path: HOME }] }
      const anonymous = { scenario: `${SCALED}, public`, round, tokens: [], steps: [{ path: PUBLIC }] }
      return [...(await measureRequests(run, subject, home)), ...(await measureRequests(run, subject, anonymous))]
    }
    return Promise.resolve({
      measure: async round => [...(await measureWith(round, ONE, 1)), ...(await measureWith(round, TWO, 2))],
      // Leaves the server in its original state.
      close: async () => void (await local.restart(run.options.workers)),
    })
  },
}
