import type { Command } from 'commander'
import { CliError } from '../cli_error.ts'
import type { CliContext } from '../cli_context.ts'
import { flag } from '../flag.ts'
import { openProgress } from '../progress.ts'
import { checkFiles } from './file_check.ts'
import type { CheckRun, Finding } from './finding.ts'
import { checkEvents, checkJobs } from './kind_checks.ts'
import { checkRows, ROW_CHECKS } from './row_checks.ts'

const NAMES = [...Object.keys(ROW_CHECKS), 'events', 'jobs', 'files']

interface Options {
  readonly fix?: boolean
  readonly json?: boolean
}

const counted = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? '' : 's'}`

async function runCheck(session: CliContext, name: string, run: CheckRun): Promise<void> {
  const { database, storage } = await session.services()
  const rows = ROW_CHECKS[name]
  if (rows) await checkRows(database, name, rows, run)
  else if (name === 'events') await checkEvents(database, run)
  else if (name === 'jobs') await checkJobs(database, run)
  else await checkFiles({ database, storage }, run)
}

function show(session: CliContext, finding: Finding, options: Options): void {
  if (options.json) session.print(JSON.stringify(finding))
  else session.print(finding.mended ? `${finding.problem} (mended)` : finding.problem)
}

async function check(session: CliContext, names: readonly string[], options: Options): Promise<void> {
  const unknown = names.find(name => !NAMES.includes(name))
  if (unknown !== undefined) throw new CliError(`Unknown check: ${unknown}; there are ${NAMES.join(', ')}`)
  let [checked, found, mended] = [0, 0, 0]
  for (const name of NAMES) {
    if (names.length > 0 && !names.includes(name)) continue
    const progress = openProgress(session, name)
    const run: CheckRun = {
      fix: options.fix === true,
      count(amount) {
        checked += amount
        progress.add(amount)
      },
      report(finding) {
        found += 1
        if (finding.mended) mended += 1
        show(session, finding, options)
      },
    }
    try {
      await runCheck(session, name, run)
    } finally {
      progress.end()
    }
  }
  if (found > mended)
    throw new CliError(
      `Found ${counted(found, 'thing')} wrong${options.fix ? `, mended ${mended}` : '; --fix mends what can be'}`,
    )
  session.warn(`OK, checked ${counted(checked, 'row')}${found > 0 ? `, mended ${counted(mended, 'thing')}` : ''}`)
}

/** Verifies that what is stored agrees with itself. */
export function addCheck(program: Command, session: CliContext): void {
  const command = program
    .command('check [names...]')
    .description(`verify the database, the stored files and the counters; all of it, or ${NAMES.join(', ')}`)
  flag(command, '--fix', 'mend what can be computed again')
  flag(command, '--json', 'one JSON object a line')
  command.action((names: string[], options: Options) => check(session, names, options))
}
