import { readOptions, type Options } from './options.ts'
import { compare, showDifferences } from './report/compare.ts'
import { showReport } from './report/table.ts'
import { readReport, writeReport } from './report/write.ts'
import { run } from './run.ts'
import { chooseScenarios, listScenarios } from './scenarios.ts'
import { goalsOfTurns, runByTurns } from './turns.ts'

/**
 * `npm run bench`: measures this machine and this server, or another server with the same API
 * (--url, --token).
 */

/** Overwrites one line on a terminal; elsewhere prints one line each. */
function showProgress(text: string): void {
  process.stderr.write(process.stderr.isTTY ? `\r\u001b[K${text}` : `${text}\n`)
}

async function measure(options: Options): Promise<void> {
  const chosen = chooseScenarios(options.scenarios)
  const { against } = options
  const report =
    against === undefined
      ? await run(chosen, options, showProgress)
      : await runByTurns(chosen, { ...options, against }, showProgress)
  if (process.stderr.isTTY) showProgress('')
  const goals = against === undefined ? chosen.flatMap(scenario => scenario.goals) : goalsOfTurns(chosen)
  process.stdout.write(showReport(report, goals))
  const files = await writeReport(report, goals, options.output)
  process.stdout.write(`\n${files.join('\n')}\n`)
}

async function main(options: Options): Promise<void> {
  const [before, after] = options.compare
  if (options.list) process.stdout.write(listScenarios())
  else if (before !== undefined && after !== undefined)
    process.stdout.write(showDifferences(compare(await readReport(before), await readReport(after))))
  else await measure(options)
}

try {
  await main(readOptions(process.argv.slice(2)))
} catch (error) {
  process.stderr.write(`\n${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 1
}
