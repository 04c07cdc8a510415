import type { Command } from 'commander'
import { CliError } from '../cli_error.ts'
import type { CliContext } from '../cli_context.ts'
import { flag } from '../flag.ts'
import { openProgress } from '../progress.ts'
import { checkFiles } from './file_check.ts'
import type { CheckRun, Finding } from './finding.ts'
import { checkEvents, checkJobs } from './kind_checks.ts'
import { checkRows, ROW_CHECKS } from './row_checks.ts'
import { formatCount } from '../format_count.ts'

const NAMES = [...Object.keys(ROW_CHECKS), 'events', 'jobs', 'files']

interface Options {
  readonly fix?: boolean
  readonly json?: boolean
}

async function runCheck(context: CliContext, name: string, run: CheckRun): Promise<void> {
  const { database, storage } = await context.services()
  const rows = ROW_CHECKS[name]
  if (rows) await checkRows(database, name, rows, run)
  else if (name === 'events') await checkEvents(database, run)
  else if (name === 'jobs') await checkJobs(database, run)
  else await checkFiles({ database, storage }, run)
}

function printFinding(context: CliContext, finding: Finding, options: Options): void {
  if (options.json) context.print(JSON.stringify(finding))
  else context.print(finding.mended ? `${finding.problem} (mended)` : finding.problem)
}

async function check(context: CliContext, names: readonly string[], options: Options): Promise<void> {
  const unknownName = names.find(name => !NAMES.includes(name))
  if (unknownName !== undefined) throw new CliError(`Unknown check: ${unknownName}; there are ${NAMES.join(', ')}`)
  let [checked, found, mended] = [0, 0, 0]
  for (const name of NAMES) {
    if (names.length > 0 && !names.includes(name)) continue
    const progress = openProgress(context, name)
    const run: CheckRun = {
      fix: options.fix === true,
      count(amount) {
        checked += amount
        progress.add(amount)
      },
      report(finding) {
        found += 1
        if (finding.mended) mended += 1
        printFinding(context, finding, options)
      },
    }
    try {
      await runCheck(context, name, run)
    } finally {
      progress.end()
    }
  }
  if (found > mended)
    throw new CliError(
      `Found ${formatCount(found, 'thing')} wrong${options.fix ? `, mended ${mended}` : '; --fix mends what can be'}`,
    )
  context.warn(
    `OK, checked ${formatCount(checked, 'row')}${found > 0 ? `, mended ${formatCount(mended, 'thing')}` : ''}`,
  )
}

/** The command that verifies the consistency of the stored data. */
export function addCheck(program: Command, context: CliContext): void {
  const command = program
    .command('check [names...]')
    .description(
      `verify the database, the stored files and the counters; by default everything, or any of ${NAMES.join(', ')}`,
    )
  flag(command, '--fix', 'repair data that can be recomputed')
  flag(command, '--json', 'print one JSON object per line')
  command.action((names: string[], options: Options) => check(context, names, options))
}
