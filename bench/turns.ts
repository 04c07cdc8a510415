import { startLoad, type LoadProcess } from './load/child.ts'
import { latencyFigures } from './load/latency.ts'
import type { RequestLoad, RequestOutcome } from './load/requests.ts'
import type { Options } from './options.ts'
import type { Figures } from './report/figures.ts'
import type { Goal } from './report/goals.ts'
import type { Report, Result } from './report/report.ts'
import { emptyReport, sizeOf } from './run.ts'
import type { Run, Scenario } from './scenario.ts'
import { openLocalTarget } from './target/local.ts'
import type { Target } from './target/target.ts'

/**
 * Compares the servers of two checkouts: both run, and take turns so short that the changing speed
 * of a shared machine affects them alike.
 */

const THIS = 'this checkout'
const OTHER = 'the other'
const TURN_MS = 400
const MIN_TURNS = 4

/** Goals for the ratio of both: the scenarios are not worse by more than 5 %. */
export const goalsOfTurns = (scenarios: readonly Scenario[]): Goal[] =>
  scenarios.flatMap(({ name }) =>
    (['rate', 'perCpu'] as const).map(figure => ({
      scenario: name,
      text: figure === 'rate' ? 'the rate, by that of the other' : 'requests a CPU second, by those of the other',
      subject: THIS,
      figure,
      of: { subject: OTHER },
      min: 0.95,
    })),
  )

/** A server, and the process that sends the requests of a scenario to it. */
interface Contender {
  readonly subject: string
  readonly target: Target
  readonly load: LoadProcess<RequestLoad, RequestOutcome>
  readonly order: Omit<RequestLoad, 'measureMs'>
}

async function send({ load, order }: Contender, measureMs: number): Promise<RequestOutcome> {
  return load.ask({ ...order, measureMs })
}

async function measureTurn(contender: Contender): Promise<{ figures: Figures; failures: readonly string[] }> {
  const { local } = contender.target
  const before = await local?.cpuSeconds()
  const { all, seconds, failures } = await send(contender, TURN_MS)
  const after = await local?.cpuSeconds()
  const figures: Figures = {
    rate: (all.requests - all.errors) / seconds,
    errors: all.errors,
    ...latencyFigures([all.latencies]),
  }
  if (before && after) {
    const [server, database] = [after.server - before.server, after.database - before.database]
    figures.serverCpu = server / seconds
    figures.databaseCpu = database / seconds
    if (server + database > 0) figures.perCpu = (all.requests - all.errors) / (server + database)
  }
  return { figures, failures }
}

async function compareScenario(
  name: string,
  requests: NonNullable<Scenario['requests']>,
  runs: readonly { readonly subject: string; readonly run: Run }[],
): Promise<Result[]> {
  const contenders: Contender[] = []
  try {
    for (const { subject, run } of runs) {
      const { tokens, steps } = await requests(run)
      const { connections, warmup } = run.options
      const order = { url: run.target.url, tokens, steps, order: 'turns', connections, warmupMs: 0 } as const
      const contender = { subject, target: run.target, load: startLoad<RequestLoad, RequestOutcome>('requests'), order }
      contenders.push(contender)
      if (warmup > 0) await send(contender, warmup * 1000)
    }
    const results: Result[] = []
    const turns = Math.max(MIN_TURNS, Math.ceil(((runs[0]?.run.options.seconds ?? 0) * 1000) / TURN_MS))
    for (let round = 1; round <= turns; round += 1) {
      runs[0]?.run.progress(`${name}, turn ${round} of ${turns} …`)
      // Each goes first in half of the turns.
      for (const contender of round % 2 === 1 ? contenders : contenders.toReversed()) {
        const { figures, failures } = await measureTurn(contender)
        for (const failure of failures) runs[0]?.run.warn(`${name}, ${contender.subject}: ${failure}`)
        results.push({ scenario: name, subject: contender.subject, round, unit: 'requests', figures })
      }
    }
    return results
  } finally {
    for (const { load } of contenders) load.close()
  }
}

/**
 * Measures the scenarios that send requests on this checkout and on another one, whose server and
 * seed have their files where these are.
 * @throws Error if nothing can be measured
 */
export async function runByTurns(
  chosen: readonly Scenario[],
  options: Options & { readonly against: string },
  progress: (text: string) => void,
): Promise<Report> {
  const { against, data, workers, profile } = options
  const here = await openLocalTarget(sizeOf(options), { dataDir: data, workers, profile }, progress)
  try {
    const dataDir = data === undefined ? undefined : `${data}-against`
    const there = await openLocalTarget(sizeOf(options), { dataDir, workers, root: against }, progress)
    try {
      const report = emptyReport(options, { description: `${here.description}; by turns with that of ${against}` })
      const warn = (text: string): void => {
        if (!report.warnings.includes(text)) report.warnings.push(text)
      }
      const runs = [
        { subject: THIS, run: { target: here, options, progress, warn } },
        { subject: OTHER, run: { target: there, options, progress, warn } },
      ]
      for (const scenario of chosen) {
        if (!scenario.requests) warn(`${scenario.name} was left out: it measures more than requests`)
        else {
          try {
            report.results.push(...(await compareScenario(scenario.name, scenario.requests, runs)))
          } catch (error) {
            warn(`${scenario.name} failed: ${error instanceof Error ? error.message : String(error)}`)
          }
        }
      }
      if (report.results.length === 0) throw new Error(report.warnings.join('\n'))
      return report
    } finally {
      await there.close()
    }
  } finally {
    await here.close()
  }
}
