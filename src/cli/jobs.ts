import { Option, type Command } from 'commander'
import { parseId, type Id } from '../core/id.ts'
import { JOB_STATES, listJobs, removeJobs, retryJobs, withoutSecrets } from '../platform/jobs/index.ts'
import { wholeNumber } from './flag.ts'
import { CliError } from './cli_error.ts'
import type { CliContext } from './cli_context.ts'
import { formatTime } from './format_time.ts'

interface ListOptions {
  state: (typeof JOB_STATES)[number]
  name?: string
  limit: number
}

async function list(context: CliContext, { state, name, limit }: ListOptions): Promise<void> {
  const { database } = await context.services()
  const rows = (await listJobs(database, { state, name, limit })).map(job => [
    job.id,
    job.name,
    `${job.attempts}/${job.max_attempts}`,
    formatTime(job.run_at),
    job.last_error === null ? '' : withoutSecrets(job.last_error),
  ])
  context.printTable(['ID', 'JOB', 'ATTEMPTS', 'DUE (UTC)', 'ERROR'], rows)
}

async function change(context: CliContext, action: 'retry' | 'delete', texts: string[]): Promise<void> {
  const ids = texts.map((text): Id => {
    const id = parseId(text)
    if (id === undefined) throw new CliError(`No such job: ${text}`)
    return id
  })
  const { database } = await context.services()
  const count = await (action === 'retry' ? retryJobs : removeJobs)(database, null, ids)
  if (count === 0) throw new CliError('None of these jobs exists, or all of them are running')
  context.print(`OK, ${count} jobs`)
}

/** The commands on background jobs. */
export function addJobs(program: Command, context: CliContext): void {
  const group = program.command('jobs').description('manage background jobs')
  group
    .command('list')
    .description('list jobs, newest first')
    .addOption(new Option('--state <state>', 'state').choices(JOB_STATES).default('failed'))
    .option('--name <name>', 'only jobs of this kind')
    .option('--limit <n>', 'how many', wholeNumber(1, 10_000), 100)
    .action((options: ListOptions) => list(context, options))
  for (const [action, description] of [
    ['retry', 'retry jobs at once, with all attempts again'],
    ['delete', 'delete jobs that are not running'],
  ] as const)
    group
      .command(`${action} <ids...>`)
      .description(description)
      .action((ids: string[]) => change(context, action, ids))
}
