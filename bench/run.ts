import { cpus, totalmem } from 'node:os'
import type { Options } from './options.ts'
import type { Report } from './report/report.ts'
import type { Scenario, Run } from './scenario.ts'
import { remoteTarget } from './target/remote.ts'
import { openLocalTarget } from './target/local.ts'
import type { SeedSize } from './target/seed.ts'
import type { Target } from './target/target.ts'

/**
 * The number of authors of each kind, so that simultaneous posts do not wait for one author's row.
 */
const AUTHORS_EACH = 16
const READERS = 16
const FOLLOWING = 1000
const REPLIES = 500

/** The data that the scenarios need. */
export function sizeOf(options: Options): SeedSize {
  const { accounts, statuses, followers } = options
  const people = Math.min(accounts, options.people)
  const several = [10, 100, 1000].flatMap(count => Array.from({ length: AUTHORS_EACH }, () => count))
  const authors = [...several, Math.max(followers, people)]
  return { accounts, statuses, people, authors, readers: READERS, following: FOLLOWING, replies: REPLIES }
}

function openTarget(
  chosen: readonly Scenario[],
  options: Options,
  progress: (text: string) => void,
): Target | Promise<Target> {
  const { url, tokens, thread, data, workers, profile } = options
  if (chosen.every(({ needs }) => needs === 'itself'))
    return { ...remoteTarget('', [], undefined), description: 'servers of its own' }
  if (url !== undefined) return remoteTarget(url, tokens, thread)
  const federates = chosen.some(({ receives }) => receives === true)
  return openLocalTarget(sizeOf(options), { dataDir: data, workers, profile, federates }, progress)
}

/** Why a scenario cannot be measured on a target; undefined if it can. */
function obstacleOf({ needs }: Scenario, { local, people }: Target): string | undefined {
  if (needs === 'local' && !local) return 'needs data of its own: leave out --url'
  if (needs === 'people' && people.length < 2) return 'needs people: give --token twice at least, or --tokens-file'
  return undefined
}

async function measureScenario(scenario: Scenario, stage: Run, report: Report): Promise<void> {
  stage.progress(`${scenario.name}: getting ready …`)
  const opened = await scenario.open(stage)
  try {
    for (let round = 1; round <= stage.options.repeat; round += 1) report.results.push(...(await opened.measure(round)))
  } finally {
    await opened.close()
  }
}

export function emptyReport(options: Options, target: Pick<Target, 'description'>): Report {
  const { seconds, warmup, repeat } = options
  return {
    startedAt: new Date().toISOString(),
    machine: {
      cpu: cpus()[0]?.model ?? 'unknown',
      cores: cpus().length,
      memoryBytes: totalmem(),
      node: process.version,
    },
    target: target.description,
    command: `npm run bench -- ${process.argv
      .slice(2)
      .map((word, index, words) => (words[index - 1] === '--token' ? '…' : word))
      .join(' ')}`,
    options: { seconds, warmup, repeat },
    results: [],
    warnings: [],
  }
}

/**
 * Measures scenarios, one after the other. The report names those that fail; the others continue.
 * @throws Error if nothing can be measured
 */
export async function run(
  chosen: readonly Scenario[],
  options: Options,
  progress: (text: string) => void,
): Promise<Report> {
  const target = await openTarget(chosen, options, progress)
  const report = emptyReport(options, target)
  const warn = (text: string): void => {
    if (!report.warnings.includes(text)) report.warnings.push(text)
  }
  try {
    const possible = chosen.filter(scenario => {
      const obstacle = obstacleOf(scenario, target)
      if (obstacle !== undefined) warn(`${scenario.name} was left out: it ${obstacle}`)
      return obstacle === undefined
    })
    if (possible.length === 0) throw new Error(report.warnings.join('\n'))
    for (const [index, scenario] of possible.entries()) {
      const place = possible.length > 1 ? `[${index + 1}/${possible.length}] ` : ''
      const stage = { target, options, warn, progress: (text: string) => progress(place + text) }
      try {
        await measureScenario(scenario, stage, report)
      } catch (error) {
        warn(`${scenario.name} failed: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
    if (report.results.length === 0) throw new Error(report.warnings.join('\n'))
    return report
  } finally {
    await target.close()
  }
}
