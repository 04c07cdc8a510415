import { Command, InvalidArgumentError } from 'commander'
import { cpus, totalmem } from 'node:os'
import { printTable } from './table.ts'
import type { Report } from './report.ts'
import { scenarios, type Scenario } from './scenarios.ts'
import { writeReport } from './write.ts'
import { openTarget, type TargetOptions } from './target.ts'

/* `npm run bench`: measures this machine and this server, or any other server with the same API (--url, --token). */

const whole =
  (least: number) =>
  (text: string): number => {
    const value = Number(text)
    if (!Number.isInteger(value) || value < least) throw new InvalidArgumentError(`give a whole number from ${least}`)
    return value
  }

const collect = (text: string, sofar: string[]): string[] => [...sofar, text]

interface Options extends TargetOptions {
  seconds: number
  warmup: number
  repeat: number
  connections: number
  sockets: number
  idle: number
  rate: number
  output: string
}

async function run(chosen: readonly Scenario[], options: Options): Promise<void> {
  const progress = (text: string): void => {
    process.stderr.write(process.stderr.isTTY ? `\r\u001b[K${text}` : `${text}\n`)
  }
  const target = await openTarget(options, progress)
  const report: Report = {
    startedAt: new Date().toISOString(),
    machine: {
      cpu: cpus()[0]?.model ?? 'unknown',
      cores: cpus().length,
      memoryBytes: totalmem(),
      node: process.version,
    },
    target: target.description,
    options: { seconds: options.seconds, warmup: options.warmup, repeat: options.repeat },
    results: [],
  }
  try {
    for (const scenario of chosen) {
      for (let round = 1; round <= options.repeat; round += 1) {
        progress(`${scenario.name}, round ${round} of ${options.repeat} …`)
        report.results.push(...(await scenario.measure({ target, round, ...options, progress })))
      }
    }
  } finally {
    await target.close()
  }
  progress('')
  printTable(report)
  const files = await writeReport(report, options.output)
  process.stdout.write(`\n${files.join('\n')}\n`)
}

const program = new Command('bench')
  .description('Measures a server with the Mastodon API: by default one of its own, on seeded data')
  .argument(
    '[scenarios...]',
    `what to measure: ${scenarios.map(({ name }) => name).join(', ')}; all when none is named`,
  )
  .option('--list', 'say what there is to measure')
  .option('--url <url>', 'measure this server instead of one of its own')
  .option('--token <token>', 'bearer token on it; several make several people (the first posts)', collect, [])
  .option('--accounts <n>', 'accounts to seed', whole(10), 2000)
  .option('--statuses <n>', 'statuses to seed', whole(10), 100_000)
  .option('--workers <n>', 'processes of the own server', whole(1), 1)
  .option('--seconds <n>', 'how long each measurement takes', whole(1), 10)
  .option('--warmup <n>', 'seconds before it that do not count', whole(0), 3)
  .option('--repeat <n>', 'rounds; the table shows the median', whole(1), 3)
  .option('--connections <n>', 'HTTP connections', whole(1), 16)
  .option('--people <n>', 'people who are signed in', whole(2), 1000)
  .option('--sockets <n>', 'most streaming sockets that hear one status', whole(1), 5000)
  .option('--idle <n>', 'idle streaming sockets', whole(1), 10_000)
  .option('--rate <n>', 'statuses a second that are posted while streaming is measured', whole(1), 5)
  .option('--output <folder>', 'where the report goes', 'bench/results')

program.parse()
const options = program.opts<Options & { list?: boolean }>()
if (options.list === true) {
  for (const { name, summary } of scenarios) process.stdout.write(`${name.padEnd(20)} ${summary}\n`)
} else {
  const chosen = program.args.flatMap((name): Scenario[] => {
    const found = scenarios.find(scenario => scenario.name === name)
    return found ? [found] : program.error(`there is no scenario "${name}"; --list says what there is`)
  })
  try {
    await run(chosen.length > 0 ? chosen : scenarios, options)
  } catch (error) {
    process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`)
    process.exitCode = 1
  }
}
