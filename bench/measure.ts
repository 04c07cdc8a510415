import { cpus } from 'node:os'
import { startLoad } from './load/child.ts'
import type { Outcome } from './load/count.ts'
import { latencyFigures } from './load/latency.ts'
import type { RequestLoad, RequestOutcome } from './load/requests.ts'
import type { Figures } from './report/figures.ts'
import type { Result, Statement } from './report/report.ts'
import type { Run } from './scenario.ts'
import type { DatabaseUse } from './target/database.ts'
import type { Usage } from './target/usage.ts'

/** The measured process: the server, or a baseline. */
export interface Subject {
  readonly name: string
  readonly url: string
  usage?(): Promise<Usage | undefined>
  databaseUse?(): Promise<DatabaseUse>
}

export const SERVER = 'server'

/** The server as a subject. */
export function serverOf({ target }: Run, name = SERVER): Subject {
  const { local } = target
  if (!local) return { name, url: target.url }
  return { name, url: target.url, usage: () => local.usage(), databaseUse: () => local.databaseUse() }
}

/** Above this CPU use a load generator may be the bottleneck. */
const BUSY = 0.9

const MAX_STATEMENTS = 8

/** The execution time of each statement between two snapshots, longest first. */
function longestSince(before: DatabaseUse, after: DatabaseUse): Statement[] {
  const known = new Map(before.statements.map(statement => [statement.text, statement]))
  return after.statements
    .map(({ text, calls, seconds }) => {
      const { calls: callsBefore = 0, seconds: secondsBefore = 0 } = known.get(text) ?? {}
      return { text, calls: calls - callsBefore, seconds: seconds - secondsBefore }
    })
    .filter(({ calls }) => calls > 0)
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, MAX_STATEMENTS)
}

/** The result of an observation. */
export interface Observed<T> {
  readonly value: T
  readonly figures: Figures
  readonly statements?: readonly Statement[]
}

/** The resources that a subject and its database use while a function runs. */
export async function observe<T>(subject: Subject, work: () => Promise<T>): Promise<Observed<T>> {
  const [usage, database] = [await subject.usage?.(), await subject.databaseUse?.()]
  const startedAt = performance.now()
  const value = await work()
  const seconds = (performance.now() - startedAt) / 1000
  const [usageAfter, databaseAfter] = [await subject.usage?.(), await subject.databaseUse?.()]
  const figures: Figures = {}
  if (usage && usageAfter) {
    figures.serverCpu = (usageAfter.cpuSeconds - usage.cpuSeconds) / seconds
    figures.memory = usageAfter.memoryBytes / 2 ** 20
  }
  if (!database || !databaseAfter) return { value, figures }
  figures.databaseSeconds = (databaseAfter.seconds - database.seconds) / seconds
  figures.databaseCalls = (databaseAfter.calls - database.calls) / seconds
  if (database.cpuSeconds !== undefined && databaseAfter.cpuSeconds !== undefined)
    figures.databaseCpu = (databaseAfter.cpuSeconds - database.cpuSeconds) / seconds
  return { value, figures, statements: longestSince(database, databaseAfter) }
}

/**
 * Adds a warning if a load generator used nearly a whole core, or all together nearly the whole
 * machine.
 */
export function checkLoad(run: Run, what: string, cpu: number, { serverCpu = 0, databaseCpu = 0 }: Figures = {}): void {
  const cores = cpus().length
  if (cpu > BUSY) run.warn(`${what}: the load generator used nearly a whole core and may be the bottleneck`)
  else if (serverCpu + databaseCpu + cpu > BUSY * cores) run.warn(`${what}: all ${cores} cores were busy`)
}

interface RequestPlan
  extends Pick<RequestLoad, 'tokens' | 'steps'>, Partial<Pick<RequestLoad, 'order' | 'ratePerSecond'>> {
  readonly scenario: string
  readonly round: number
  readonly unit?: string
}

const figuresOf = ({ requests, errors, latencies }: Outcome, seconds: number): Figures => ({
  rate: (requests - errors) / seconds,
  errors,
  ...latencyFigures([latencies]),
})

/**
 * Sends requests to a subject for the duration in the options. @returns the total, then each label
 * of the steps
 */
export async function measureRequests(run: Run, subject: Subject, plan: RequestPlan): Promise<Result[]> {
  const { scenario, round, unit = 'requests', tokens, steps, order = 'turns' } = plan
  const { options } = run
  const rate = plan.ratePerSecond ?? options.rate
  run.progress(`${scenario}, round ${round} of ${options.repeat}: ${subject.name} …`)
  const generator = startLoad<RequestLoad, RequestOutcome>('requests')
  try {
    const load: RequestLoad = {
      url: subject.url,
      tokens,
      steps,
      order,
      connections: options.connections,
      ...(rate !== undefined && { ratePerSecond: rate }),
      warmupMs: options.warmup * 1000,
      measureMs: options.seconds * 1000,
    }
    const { value, figures, ...usage } = await observe(subject, () => generator.ask(load))
    checkLoad(run, `${scenario}, ${subject.name}`, value.cpu, figures)
    for (const failure of value.failures) run.warn(`${scenario}, ${subject.name}: ${failure}`)
    const whole: Figures = { ...figuresOf(value.all, value.seconds), loadCpu: value.cpu, ...figures }
    if (whole.rate !== undefined && figures.serverCpu) whole.perServerCpu = whole.rate / figures.serverCpu
    const parts = Object.entries(value.byLabel).map(([label, outcome]) => ({
      scenario,
      subject: `${subject.name}: ${label}`,
      round,
      unit,
      figures: figuresOf(outcome, value.seconds),
    }))
    return [{ scenario, subject: subject.name, round, unit, figures: whole, ...usage }, ...parts]
  } finally {
    generator.close()
  }
}
